//! Headers that uforia does not bring come from the system.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Folder, uforia};

/// Headers of C libraries. Where a system, or its C compiler for a data model, does not have one, that one is skipped.
const HEADERS: &str = "
    aio.h aliases.h alloca.h ar.h argp.h argz.h arpa/ftp.h arpa/inet.h arpa/nameser.h arpa/telnet.h arpa/tftp.h assert.h byteswap.h complex.h
    cpio.h ctype.h dirent.h dlfcn.h elf.h endian.h envz.h err.h errno.h error.h execinfo.h fcntl.h features.h fenv.h fmtmsg.h fnmatch.h
    fpu_control.h fstab.h fts.h ftw.h gconv.h getopt.h glob.h gnu/libc-version.h grp.h gshadow.h iconv.h ifaddrs.h inttypes.h langinfo.h
    lastlog.h libgen.h libintl.h limits.h link.h locale.h malloc.h math.h mcheck.h memory.h mntent.h monetary.h mqueue.h net/ethernet.h
    net/if.h net/if_arp.h net/if_packet.h net/if_ppp.h net/ppp_defs.h net/route.h netdb.h netinet/ether.h netinet/icmp6.h netinet/if_ether.h
    netinet/igmp.h netinet/in.h netinet/in_systm.h netinet/ip.h netinet/ip6.h netinet/ip_icmp.h netinet/tcp.h netinet/udp.h
    netpacket/packet.h nl_types.h nss.h obstack.h paths.h poll.h printf.h pthread.h pty.h pwd.h regex.h resolv.h sched.h scsi/scsi.h
    search.h semaphore.h setjmp.h sgtty.h shadow.h signal.h spawn.h stdint.h stdio.h stdio_ext.h stdlib.h string.h strings.h sys/acct.h
    sys/auxv.h sys/cdefs.h sys/dir.h sys/epoll.h sys/errno.h sys/eventfd.h sys/fanotify.h sys/fcntl.h sys/file.h sys/fsuid.h sys/inotify.h
    sys/io.h sys/ioctl.h sys/ipc.h sys/kd.h sys/klog.h sys/mman.h sys/mount.h sys/msg.h sys/mtio.h sys/param.h sys/personality.h sys/poll.h
    sys/prctl.h sys/procfs.h sys/ptrace.h sys/queue.h sys/quota.h sys/random.h sys/reboot.h sys/resource.h sys/select.h sys/sem.h
    sys/sendfile.h sys/shm.h sys/signal.h sys/signalfd.h sys/socket.h sys/stat.h sys/statfs.h sys/statvfs.h sys/swap.h sys/syscall.h
    sys/sysinfo.h sys/syslog.h sys/sysmacros.h sys/time.h sys/timeb.h sys/timerfd.h sys/times.h sys/timex.h sys/types.h sys/ucontext.h
    sys/uio.h sys/un.h sys/user.h sys/utsname.h sys/vfs.h sys/vt.h sys/wait.h sys/xattr.h syscall.h sysexits.h syslog.h tar.h termio.h
    termios.h tgmath.h threads.h time.h ttyent.h uchar.h ucontext.h ulimit.h unistd.h utime.h utmp.h utmpx.h values.h wait.h wchar.h
    wctype.h wordexp.h";

/// Where a header lies on this system.
fn installed(header: &str) -> Option<PathBuf> {
    let mut roots = vec![PathBuf::from("/usr/include"), PathBuf::from("/usr/local/include")];
    let said = Command::new("cc").arg("-print-multiarch").stderr(Stdio::null()).output().ok()?;
    let triple = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    if !triple.is_empty() {
        roots.push(Path::new("/usr/include").join(triple));
    }
    roots.into_iter().map(|root| root.join(header)).find(|file| file.is_file())
}

/// Whether the C compiler itself accepts the file for this data model.
fn compiles(file: &str, option: &str) -> bool {
    let status = Command::new("cc")
        .args([option, "-std=gnu11", "-w", "-fsyntax-only", file])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

#[test]
fn headers_of_the_system_are_accepted_in_both_data_models() {
    let folder = Folder::new("system-headers");
    let (mut n_accepted, mut n_skipped) = (0, 0);
    let mut refused = Vec::new();
    for header in HEADERS.split_whitespace().filter(|header| installed(header).is_some()) {
        // Without types that no header of ours has the program would get ours: `<sys/param.h>` is never among them.
        let text = format!("#include <{header}>\n#include <sys/param.h>\nint main(void) {{ return 0; }}\n");
        let file = folder.file("a.c", text);
        for (model, option) in [("lp64", "-m64"), ("ilp32", "-m32")] {
            let said = uforia(&["lower", "--data-model", model, &file]);
            if said.code == 0 {
                n_accepted += 1;
            } else if compiles(&file, option) {
                refused.push(format!("<{header}> for {model}: {}", said.err));
            } else {
                n_skipped += 1;
            }
        }
    }
    println!("{n_accepted} accepted, {n_skipped} skipped because the compiler does not take them");
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn a_header_that_uforia_does_not_bring_comes_from_the_system() {
    if installed("sys/mman.h").is_none() || installed("netinet/in.h").is_none() {
        println!("skipped: the system has no <sys/mman.h> and <netinet/in.h>");
        return;
    }
    let folder = Folder::new("system-header");
    let file = folder.file(
        "a.c",
        "#include <sys/mman.h>\n#include <netinet/in.h>\n#include <assert.h>\n#include <stdlib.h>\n#include <ctype.h>\n\
         int main(void) {\n struct in_addr a = { 0 };\n struct sockaddr_in s = { 0 };\n\
         assert(sizeof s == 16 && a.s_addr == 0 && PROT_READ == 1);\n char *p = malloc(2);\n p[0] = 'a';\n assert(isalpha(p[0]));\n\
         free(p);\n return 0; }\n",
    );
    uforia(&["check", &file]).exits(0).answers("SAFE");
    uforia(&["check", "--data-model", "ilp32", &file]).exits(0).answers("SAFE");
}

#[test]
fn functions_of_the_system_are_assumed_or_refused_by_name() {
    if installed("sys/uio.h").is_none() {
        println!("skipped: the system has no <sys/uio.h>");
        return;
    }
    let folder = Folder::new("system-functions");
    let refused = folder.file(
        "refused.c",
        "#include <sys/uio.h>\nextern void reach_error(void);\nint main(void) { char c = 0; struct iovec v = { &c, 1 }; readv(0, &v, 1); \
         if (c) reach_error(); return 0; }\n",
    );
    uforia(&["check", &refused]).exits(2).complains("call of `readv`");
    let assumed = folder.file(
        "assumed.c",
        "#include <sys/mman.h>\nextern void reach_error(void);\nint main(void) { if (mlockall(1) == 3) reach_error(); return 0; }\n",
    );
    let said = uforia(&["check", &assumed]).exits(2);
    assert!(said.out.contains("`mlockall` has no body"), "{said:?}");
    let twice = folder.file(
        "twice.c",
        "__attribute__((returns_twice)) int again(void);\nextern void reach_error(void);\nint main(void) { if (again() > 1) reach_error(); \
         return 0; }\n",
    );
    uforia(&["check", &twice]).exits(2).complains("returns twice");
}

#[test]
fn a_header_that_is_nowhere_is_reported_with_its_place() {
    let folder = Folder::new("no-header");
    let file = folder.file("a.c", "#include <no/such/header.h>\nint main(void) { return 0; }\n");
    let said = uforia(&["check", &file]).exits(2).complains("header <no/such/header.h>");
    assert!(said.err.contains("a.c:1"), "{said:?}");
}
