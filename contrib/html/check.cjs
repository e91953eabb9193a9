// The pages in a browser. `node check.cjs FOLDER CHROMIUM [SHOTS]`: the folder has the pages that check.sh made; screenshots go to SHOTS.
"use strict";
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [folder, executablePath, shots] = process.argv.slice(2);

let done = 0;
const failures = [];
async function test(name, body) {
  try {
    await body();
    done++;
  } catch (error) {
    failures.push(name);
    console.log("FAILED " + name + ": " + String(error.message || error).split("\n").slice(0, 4).join(" "));
  }
}
function is(found, expected, what) {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error((what || "value") + " is " + JSON.stringify(found) + ", expected " + JSON.stringify(expected));
  }
}
const address = name => pathToFileURL(path.join(folder, name)).href;
const answer = name => JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  // A page with the requests that it makes and the messages that it prints.
  async function open(name, options, fragment) {
    const context = await browser.newContext({ acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.requests = [];
    page.messages = [];
    page.on("request", one => page.requests.push(one.url()));
    page.on("console", one => page.messages.push(one.text()));
    page.on("pageerror", one => page.messages.push(String(one)));
    page.on("dialog", one => { page.messages.push("dialog"); one.dismiss(); });
    await page.goto(address(name) + (fragment || ""));
    return page;
  }
  const position = page => page.textContent("#position");
  const now = page => page.$eval(".line.now", row => row.id);
  const violations = async page => {
    // The policy of the page forbids scripts; axe comes in beside it.
    await page.evaluate(axe);
    const found = await page.evaluate(() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "best-practice"] }));
    return found.violations.map(one => one.id + ": " + one.nodes.slice(0, 2).map(node => node.html.slice(0, 120)).join(" | "));
  };
  const shot = async (page, name) => { if (shots) await page.screenshot({ path: path.join(shots, name + ".png"), fullPage: true }); };

  for (const name of ["unsafe", "safe", "precise", "unknown", "invalid", "rounds", "large", "all"]) {
    await test(name + ": one request, nothing on the console", async () => {
      const page = await open(name + ".html");
      is(page.requests.length, 1, "requests");
      is(page.messages, [], "messages");
    });
    if (name !== "large") {
      for (const colorScheme of ["light", "dark"]) {
        await test(name + ": accessible, " + colorScheme, async () => {
          const page = await open(name + ".html", { colorScheme, bypassCSP: true });
          await shot(page, name + "-" + colorScheme);
          is(await violations(page), [], "violations");
        });
      }
    }
    await test(name + ": 360 pixels wide without scrolling sideways", async () => {
      const page = await open(name + ".html", { viewport: { width: 360, height: 700 } });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wider > 0) throw new Error(wider + " pixels too wide");
      if (name === "unsafe") await shot(page, name + "-narrow");
    });
  }

  const steps = answer("unsafe.json").counterexample.steps;
  const lineOf = at => "f0-" + steps[at].place.split(":").pop();
  await test("the first step is chosen, arrows and keys move every pane", async () => {
    const page = await open("unsafe.html");
    is(await position(page), "step 1 of " + steps.length + ", " + steps[0].place);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    is(await now(page), lineOf(2), "line");
    is(await page.$eval(".steps a[aria-current=step]", link => Number(link.dataset.step)), 3, "step in the list");
    is(await page.$eval(".notes a[aria-current=step]", link => Number(link.dataset.step)), 3, "note in the source");
    const rows = await page.$$eval("#values tr", all => all.map(row => row.innerText.trim().split(/\s+/)));
    is(rows[0], ["client", steps[0].changes[0].after], "values");
    is(await page.$$eval("#values tr.changed th", all => all.map(one => one.innerText)), [steps[2].changes[0].name], "changed");
    await page.keyboard.press("End");
    is(await now(page), lineOf(steps.length - 1), "last line");
    await page.keyboard.press("Home");
    is(await now(page), lineOf(0), "first line");
    await page.click("#next");
    is(await page.evaluate(() => location.hash), "#step=2", "address");
    await page.click(".notes a[data-step='4']");
    is(await now(page), lineOf(3), "line after a click on a note");
    await page.click("#last");
    is(await page.$eval("#next", button => button.disabled), true, "no step behind the last");
  });
  await test("the address opens a step", async () => {
    const page = await open("unsafe.html", {}, "#step=5");
    is(await now(page), lineOf(4));
    await page.reload();
    is(await now(page), lineOf(4));
  });
  await test("the list of steps works by keyboard and keeps the focus", async () => {
    const page = await open("unsafe.html");
    await page.focus(".steps a");
    await page.keyboard.press("ArrowDown");
    is(await page.evaluate(() => Number(document.activeElement.dataset.step)), 2, "focus");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    is(await page.$eval(".steps a[aria-current=step]", link => Number(link.dataset.step)), 3);
  });
  await test("without a script everything is there", async () => {
    const page = await open("unsafe.html", { javaScriptEnabled: false });
    is(await page.textContent(".verdict"), "UNSAFE");
    is(await page.$$eval(".steps li", all => all.length).catch(() => null) ?? (await page.locator(".steps li").count()), steps.length, "steps");
    is(await page.locator("#f0-38 code").textContent(), "        reach_error(); // A forged signature was accepted.");
    is(await page.locator("#controls").isVisible(), false, "buttons that do nothing");
    is(await page.locator("#f0-1").isVisible(), true, "all lines");
    await page.locator(".steps a").nth(2).click();
    is(new URL(page.url()).hash, "#" + lineOf(2), "links lead to lines");
  });
  await test("only lines that matter, and all lines", async () => {
    const page = await open("unsafe.html");
    is(await page.isVisible("#f0-1"), false);
    await page.click("#only");
    is(await page.isVisible("#f0-1"), true);
    is(await page.getAttribute("#only", "aria-pressed"), "false");
  });
  await test("calls are followed", async () => {
    const page = await open("unsafe.html");
    const inner = steps.findIndex(step => step.depth > 0);
    for (let at = 0; at < inner; at++) await page.keyboard.press("ArrowRight");
    const calls = await page.$$eval("#calls li", all => all.map(one => one.textContent));
    is(calls.length, steps[inner].depth + 1, "open calls");
    if (!calls[calls.length - 1].startsWith(steps[inner].function)) throw new Error(calls.join("; "));
  });
  await test("the harness that is saved is the one that --harness writes", async () => {
    const page = await open("unsafe.html");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("a[download='harness.c']")]);
    const saved = fs.readFileSync(await download.path(), "utf8");
    const compiled = text => text.split("\n").filter(line => !line.includes("harness.c")).join("\n");
    is(compiled(saved), compiled(fs.readFileSync(path.join(folder, "harness.c"), "utf8")));
  });
  await test("the answer that is saved is the one in the page", async () => {
    const page = await open("unsafe.html");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-json")]);
    const saved = JSON.parse(fs.readFileSync(await download.path(), "utf8"));
    is(saved.counterexample, answer("unsafe.json").counterexample);
  });
  await test("a proof has its invariants at their loops", async () => {
    const page = await open("safe.html");
    const loops = answer("safe.json").invariants.filter(one => one.c.length > 0);
    if (loops.length === 0) throw new Error("the answer has none");
    for (const one of loops) {
      const said = await page.textContent("#f0-" + one.place.split(":").pop());
      for (const conjunct of one.c) {
        if (!said.includes(conjunct.replace(/^\((.*)\)$/, "$1")) && said.length < 150) throw new Error(conjunct + " is not in " + said);
      }
    }
    is(await position(page), "loop 1 of " + loops.length + ", " + loops[0].place);
  });
  await test("lines that are read bit by bit are those of the answer", async () => {
    const page = await open("precise.html");
    const expected = answer("precise.json").precise.map(place => "f0-" + place.split(":").pop());
    is((await page.$$eval(".line.precise", all => all.map(one => one.id))).sort(), [...new Set(expected)].sort());
  });
  await test("an invalid program shows its diagnostics, and its text stays text", async () => {
    const page = await open("invalid.html");
    is(await page.$$eval("img", all => all.length), 0, "images");
    is(await now(page), "f0-3");
    const line = await page.textContent("#f0-3 code");
    if (!line.includes("</script>") || !line.includes("U+202E")) throw new Error(line);
    if ((await page.content()).includes("\u202e")) throw new Error("the character is applied");
  });
  await test("folded rounds, names of files with quotes, sparklines", async () => {
    const page = await open("rounds.html");
    is(await page.$$eval("img", all => all.length), 0, "images");
    const texts = await page.$$eval(".steps .text", all => all.map(one => one.textContent));
    if (!texts.some(text => /more iteration/.test(text))) throw new Error("no rounds are folded: " + texts.join("; "));
    if (!texts.some(text => / → /.test(text))) throw new Error("no value before: " + texts.join("; "));
    await page.keyboard.press("End");
    if ((await page.$$(".spark")).length === 0) throw new Error("no sparkline");
    is(await page.$$eval(".source h3", all => all.length), 1, "files");
    if (!(await page.textContent(".source h3")).endsWith("a \"<b>& c.c")) throw new Error("the name is wrong");
    await page.click("#values button >> nth=0");
  });
  await test("dark mode changes the background", async () => {
    const back = async colorScheme => {
      const page = await open("unsafe.html", { colorScheme });
      return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    };
    if (await back("dark") === await back("light")) throw new Error("it does not");
  });
  await test("print shows all steps and no buttons", async () => {
    const page = await open("safe.html");
    await page.emulateMedia({ media: "print" });
    is(await page.isVisible("#controls"), false);
    const cut = await page.$eval(".steps", list => list.scrollHeight - list.clientHeight);
    if (cut > 2) throw new Error("the list of steps is cut");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    is(await page.$$eval("details:not([open])", all => all.length), 0, "closed details");
  });
  await test("a program of 24,000 lines opens quickly and is capped", async () => {
    const start = Date.now();
    const page = await open("large.html");
    await page.keyboard.press("End");
    const took = Date.now() - start;
    if (took > 8000) throw new Error("it took " + took + " ms");
    const size = fs.statSync(path.join(folder, "large.html")).size;
    if (size > 500000) throw new Error(size + " bytes");
    if (!/lines not shown/.test(await page.textContent(".source"))) throw new Error("nothing is left out");
  });
  await test("the index of a batch leads to the pages of its tasks", async () => {
    const page = await open("all.html");
    is(await page.locator("tbody tr").count(), 2);
    await page.click("tbody a >> nth=0");
    is(await page.textContent(".verdict"), "UNSAFE");
    is(page.messages, []);
  });
  await browser.close();
  console.log(done + " tests of pages in the browser passed, " + failures.length + " failed");
  process.exit(failures.length > 0 ? 1 : 0);
})();
