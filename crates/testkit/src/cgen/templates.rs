//! Little programs within the program: idioms whose parts must fit together to be defined, filled
//! with random expressions. Arrays of variable length, variadic calls, Duff's device, linked lists,
//! walks with pointers, the library's memory and string functions.

use super::Generator;
use super::effects::binding;
use super::scope::Variable;
use super::types::{Int, Type};

impl Generator {
    /// Functions that templates call.
    pub(crate) fn define_template_functions(&mut self) {
        let p = self.config.prefix.clone();
        if self.features.variadics {
            self.out.extend(
                [
                    &format!("static long long {p}sum(int n, ...)"),
                    "{",
                    "    __builtin_va_list list;",
                    "    long long total = 0;",
                    "    __builtin_va_start(list, n);",
                    "    while (n-- > 0)",
                    "        total = total * 31 + __builtin_va_arg(list, int);",
                    "    __builtin_va_end(list);",
                    "    return total;",
                    "}",
                    &format!("static unsigned {p}kinds(const char *kinds, ...)"),
                    "{",
                    "    __builtin_va_list list, copy;",
                    "    unsigned total = 7;",
                    "    __builtin_va_start(list, kinds);",
                    "    __builtin_va_copy(copy, list);",
                    "    for (; *kinds; kinds++)",
                    "        switch (*kinds) {",
                    "        case 'i': total = total * 31 + __builtin_va_arg(list, int); break;",
                    "        case 'u': total = total * 31 + __builtin_va_arg(list, unsigned); break;",
                    "        case 'l': total = total * 31 + __builtin_va_arg(list, long); break;",
                    "        case 'q': total = total * 31 + __builtin_va_arg(list, long long); break;",
                    "        case 'd': total = total * 31 + (__builtin_va_arg(list, double) > 1.5); break;",
                    "        case 's': total = total * 31 + *__builtin_va_arg(list, const char *); break;",
                    "        }",
                    "    (void)copy;",
                    "    __builtin_va_end(copy);",
                    "    __builtin_va_end(list);",
                    "    return total;",
                    "}",
                ]
                .map(String::from),
            );
        }
    }

    pub(crate) fn template(&mut self) -> bool {
        if !self.folding || self.work_left() < 100 {
            return false;
        }
        self.nesting += 1;
        self.cost += 30 * self.multiplier;
        let done = match self.random.below(14) {
            0 if self.features.variable_arrays => self.variable_array(),
            1 if self.features.library && self.features.arrays => self.memory_functions(),
            2 if self.features.library && self.features.strings => self.string_functions(),
            3 if self.features.pointers && self.features.arrays => self.pointer_walk(),
            4 if self.features.variadics => self.variadic_call(),
            5 if self.features.switches => self.duffs_device(),
            6 if self.features.pointers && self.features.structs => self.linked_list(),
            7 if self.features.function_pointers => self.function_pointer(),
            8 => self.local_types(),
            9 if self.features.pointers => self.swap_through_pointers(),
            10 if self.features.arrays => self.matrix(),
            11 if self.features.typeofs => self.type_of(),
            12 if self.features.side_effects => self.expression_statements(),
            13 if self.features.builtins => self.overflow_checks(),
            _ => false,
        };
        self.nesting -= 1;
        done
    }

    fn lines_of(&mut self, lines: &[String]) -> bool {
        for line in lines {
            self.line(line);
        }
        true
    }

    fn kind(&mut self) -> Int {
        *self.random.pick(&self.features.ints)
    }

    fn variable_array(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (n, v, i) = (self.local_name("n"), self.local_name("v"), self.local_name("i"));
        let kind = self.kind();
        let size = self.integer(2);
        self.open("{");
        self.scope.enter();
        self.line(format!("int {n} = ({} & 7) + 1;", size.at(binding::BIT_AND)));
        self.line(format!("{} {v}[{n}];", kind.name()));
        let counter = self.private_constant(&i, 8);
        self.open(format!("for (int {i} = 0; {i} < {n}; {i}++) {{"));
        self.scope.enter();
        self.scope.declare(counter);
        let value = self.integer(2);
        self.line(format!("{v}[{i}] = {};", value.argument()));
        self.scope.leave();
        self.close("}");
        self.line(format!("{p}mix(sizeof {v}); {p}mix({v}[{n} - 1]);"));
        if self.chance(40) {
            let m = self.local_name("m");
            self.line(format!("{} {m}[{n}][3];", kind.name()));
            self.line(format!("for (int {i} = 0; {i} < {n} * 3; {i}++) (&{m}[0][0])[0] = {i}, {m}[{i} / 3][{i} % 3] = {v}[{i} / 3] + {i};"));
            self.line(format!("{p}mix(sizeof {m} + sizeof {m}[0]); {p}mix({m}[{n} - 1][2]); {p}mix({m}[{n} / 2][1]);"));
        }
        self.scope.leave();
        self.close("}");
        true
    }

    fn private_constant(&mut self, name: &str, below: u32) -> Variable {
        let mut counter = Variable::private(name, Type::Int(Int::Int), &mut self.scope);
        counter.writable = false;
        counter.below = Some(below);
        counter
    }

    fn memory_functions(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (a, b, i) = (self.local_name("y"), self.local_name("y"), self.local_name("i"));
        let kind = self.kind();
        let kind = if kind == Int::Bool { Int::UChar } else { kind };
        let bytes = self.scalar_bytes(&Type::Int(kind));
        let length = 2 + self.random.below(7);
        let name = kind.name();
        let (value, part) = (self.integer(2), 1 + self.random.below(length));
        let fill = self.random.below(256);
        let mut lines = vec![
            "{".to_string(),
            format!("    {name} {a}[{length}], {b}[{length}];"),
            format!("    for (int {i} = 0; {i} < {length}; {i}++) {a}[{i}] = {i} * 3 + 1;"),
            format!("    {a}[{}] = {};", self.random.below(length), value.argument()),
            format!("    memset({b}, {fill}, sizeof {b});"),
        ];
        lines.push(match self.random.below(4) {
            0 => format!("    memcpy({b}, {a}, {part} * sizeof({name}));"),
            1 => format!("    memcpy({b} + {}, &{a}[0], {});", length - part, part * u64::from(bytes)),
            2 => format!("    memmove({a}, {a} + {}, sizeof(*{a}) * {});", length - part, part),
            _ => format!("    memset({a}, 0, {});", part * u64::from(bytes)),
        });
        lines.push(format!("    {p}mix(memcmp({a}, {b}, sizeof {a}) == 0);"));
        lines.push(format!("    {p}mix(memcmp({a}, {b}, {part}) < 0);"));
        lines.push(format!("    for (int {i} = 0; {i} < {length}; {i}++) {{ {p}mix({a}[{i}]); {p}mix({b}[{i}]); }}"));
        if self.chance(40) {
            let h = self.local_name("h");
            lines.push(format!("    {name} *{h} = malloc({length} * sizeof *{h});"));
            lines.push(format!("    memcpy({h}, {b}, {length} * sizeof *{h});"));
            lines.push(format!("    {p}mix({h}[{}]);", part - 1));
            lines.push(format!("    free({h});"));
        } else if self.chance(40) {
            let h = self.local_name("h");
            lines.push(format!("    {name} *{h} = calloc({length}, sizeof({name}));"));
            lines.push(format!("    {h}[{}] += 3;", part - 1));
            lines.push(format!("    for (int {i} = 0; {i} < {length}; {i}++) {p}mix({h}[{i}]);"));
            lines.push(format!("    free({h});"));
        }
        lines.push("}".into());
        self.lines_of(&lines)
    }

    fn string_functions(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (s, t) = (self.local_name("s"), self.local_name("s"));
        let ((first, _), (second, _)) = (self.string(9), self.string(9));
        let letter = (b'a' + self.random.below(26) as u8) as char;
        let c = self.local_name("c");
        let lines = [
            "{".to_string(),
            format!("    char {s}[24] = {first};"),
            format!("    const char *{t} = {second};"),
            format!("    {p}mix(strlen({s}) + strlen({t}) * 5);"),
            format!("    {p}mix((strcmp({s}, {t}) > 0) - (strcmp({s}, {t}) < 0));"),
            format!("    {p}mix(strncmp({s}, {t}, 2) == 0);"),
            format!("    strcpy({s} + strlen({s}), {t});"),
            format!("    char *{c} = strchr({s}, '{letter}');"),
            format!("    {p}mix({c} ? {c} - {s} : -1);"),
            format!("    for ({c} = {s}; *{c}; {c}++) {p}mix(*{c});"),
            "}".to_string(),
        ];
        self.lines_of(&lines)
    }

    fn pointer_walk(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (a, q, end) = (self.local_name("y"), self.local_name("q"), self.local_name("q"));
        let kind = self.kind().name();
        let length = 2 + self.random.below(6);
        let mut values = Vec::new();
        for _ in 0..length {
            values.push(self.pure_integer(1).argument());
        }
        let step = 1 + self.random.below(2);
        let body = match self.random.below(4) {
            0 => format!("while ({q} < {end}) {p}mix(*{q}++);"),
            1 => format!("while ({end} > {q}) {{ {end}--; {p}mix(*{end} + ({end} - {q})); }}"),
            2 => format!("for (; {end} - {q} >= {step}; {q} += {step}) {{ *{q} ^= {step}; {p}mix({q}[0]); }}"),
            _ => format!("do {{ (*{q})++; {p}mix({q}[0]); }} while (++{q} != {end});"),
        };
        let lines = [
            "{".to_string(),
            format!("    {kind} {a}[{length}] = {{{}}};", values.join(", ")),
            format!("    {kind} *{q} = {a}, *{end} = {a} + {length};"),
            format!("    {body}"),
            format!("    {p}mix({q} - {a}); {p}mix((char *){end} - (char *){q}); {p}mix({q} <= {end}); {p}mix(*{a});"),
            "}".to_string(),
        ];
        self.lines_of(&lines)
    }

    fn variadic_call(&mut self) -> bool {
        let p = self.config.prefix.clone();
        if self.chance(50) {
            let n = self.random.below(5);
            let mut arguments = String::new();
            for _ in 0..n {
                let value = self.pure_integer(1);
                arguments.push_str(&format!(", (int){}", value.at(binding::UNARY)));
            }
            self.line(format!("{p}mix({p}sum({n}{arguments}));"));
            return true;
        }
        let mut kinds = String::new();
        let mut arguments = String::new();
        for _ in 0..self.random.below(7) {
            let value = self.pure_integer(1).at(binding::UNARY);
            let (kind, argument) = match self.random.below(7) {
                0 => ('i', format!("(short){value}")),
                1 => ('u', format!("(unsigned){value}")),
                2 => ('l', format!("(long){value}")),
                3 => ('q', format!("(long long){value}")),
                4 if self.features.floats => ('d', self.floating(1).argument()),
                5 => ('s', self.string(4).0),
                _ => ('i', format!("(int){value}")),
            };
            kinds.push(kind);
            arguments.push_str(&format!(", {argument}"));
        }
        self.line(format!("{p}mix({p}kinds(\"{kinds}\"{arguments}));"));
        true
    }

    fn duffs_device(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (n, t) = (self.local_name("n"), self.local_name("t"));
        let count = self.integer(2);
        let lines = [
            "{".to_string(),
            format!("    int {n} = ({} & 15) + 1, {t} = ({n} + 3) / 4, c{t} = 0;", count.at(binding::BIT_AND)),
            format!("    switch ({n} % 4) {{"),
            format!("    case 0: do {{ c{t} += 1;"),
            format!("    case 3:      c{t} += 10;"),
            format!("    case 2:      c{t} ^= {};", self.random.below(1000)),
            format!("    case 1:      c{t} *= 3;"),
            format!("            }} while (--{t} > 0);"),
            "    }".to_string(),
            format!("    {p}mix(c{t});"),
            "}".to_string(),
        ];
        self.lines_of(&lines)
    }

    fn linked_list(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (node, head, q, i) =
            (self.local_name("N"), self.local_name("h"), self.local_name("q"), self.local_name("i"));
        let kind = self.kind().name();
        let length = 1 + self.random.below(6);
        let heap = self.features.library && self.chance(50);
        let value = self.pure_integer(2);
        let mut lines = vec![
            "{".to_string(),
            format!("    struct {node} {{ {kind} value; struct {node} *next; }} *{head} = 0, *{q};"),
        ];
        if heap {
            lines.push(format!("    for (int {i} = 0; {i} < {length}; {i}++) {{"));
            lines.push(format!("        {q} = malloc(sizeof *{q});"));
        } else {
            lines.push(format!("    struct {node} a{node}[{length}];"));
            lines.push(format!("    for (int {i} = 0; {i} < {length}; {i}++) {{"));
            lines.push(format!("        {q} = &a{node}[{i}];"));
        }
        lines.push(format!("        {q}->value = {i} + ({});", value.text));
        lines.push(format!("        {q}->next = {head};"));
        lines.push(format!("        {head} = {q};"));
        lines.push("    }".into());
        // Reverse in place, with a pointer to a pointer somewhere.
        lines.push(format!("    struct {node} **l{node} = &{head}, *r{node} = (void *)0;"));
        lines.push(format!(
            "    while (*l{node}) {{ {q} = *l{node}; *l{node} = {q}->next; {q}->next = r{node}; r{node} = {q}; }}"
        ));
        lines.push(format!("    for ({q} = r{node}; {q}; {q} = {q}->next) {p}mix({q}->value);"));
        if heap {
            lines.push(format!("    while (r{node}) {{ {q} = r{node}->next; free(r{node}); r{node} = {q}; }}"));
        }
        lines.push("}".into());
        self.lines_of(&lines)
    }

    fn function_pointer(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let work = self.work_left();
        let fitting: Vec<usize> = (0..self.functions.len())
            .filter(|&i| !self.functions[i].old_style && self.functions[i].cost * 2 < work)
            .filter(|&i| matches!(self.functions[i].result, Type::Int(_)))
            .collect();
        if fitting.is_empty() {
            return false;
        }
        let index = *self.random.pick(&fitting);
        let function = self.functions[index].clone();
        let Some(call) = self.call_of(index) else { return false };
        let name = self.local_name("z");
        let mut types = Vec::new();
        for parameter in &function.parameters {
            types.push(self.declared(&parameter.ty, ""));
        }
        let list = if types.is_empty() { "void".to_string() } else { types.join(", ") };
        let arguments = &call[function.name.len()..];
        let (declaration, use_it) = match self.random.below(3) {
            0 => (self.declared(&function.result, &format!("(*{name})({list})")), format!("{name}{arguments}")),
            1 => (self.declared(&function.result, &format!("(*{name})({list})")), format!("(*{name}){arguments}")),
            _ => {
                let typed = self.declared(&function.result, &format!("{name}_t({list})"));
                (format!("typedef {typed}; {name}_t *{name}"), format!("{name}{arguments}"))
            }
        };
        let lines = [
            "{".to_string(),
            format!("    {declaration} = {};", function.name),
            format!("    if ({name}) {p}mix({use_it});"),
            format!("    {p}mix({name} == {} && {name} != 0);", function.name),
            "}".to_string(),
        ];
        self.lines_of(&lines)
    }

    fn local_types(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (t, e, x) = (self.local_name("T"), self.local_name("W"), self.local_name("x"));
        let (first, second) = (self.kind().name(), self.kind().name());
        let (value, other) = (self.pure_integer(2), self.pure_integer(2));
        let bits = 1 + self.random.below(31);
        let lines = [
            "{".to_string(),
            format!("    typedef struct {t} {{ {first} a; unsigned b : {bits}; {second} c[2]; }} {t};"),
            format!("    enum {{ {e} = {}, {e}_next }};", self.random.between(-9, 9)),
            format!("    {t} {x} = {{ {}, {}, {{ {e}, {e}_next }} }}, y{x} = {x};", value.argument(), other.argument()),
            format!("    y{x}.c[1]++; y{x}.b--; {x}.a ^= y{x}.b;"),
            format!("    {p}mix({x}.a); {p}mix({x}.b + y{x}.b); {p}mix({x}.c[0] - y{x}.c[1]); {p}mix(sizeof({t}));"),
            "}".to_string(),
        ];
        self.lines_of(&lines)
    }

    fn swap_through_pointers(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (x, y) = (self.local_name("x"), self.local_name("x"));
        let kind = self.kind().name();
        let (first, second) = (self.integer(2), self.integer(2));
        let lines = [
            "{".to_string(),
            format!("    {kind} {x} = {}, {y} = {};", first.argument(), second.argument()),
            format!("    {kind} *p{x} = &{x}, *p{y} = &{y}, **pp = &p{x}, h{x};"),
            format!("    h{x} = **pp; *p{x} = *p{y}; *p{y} = h{x}; pp = &p{y}; **pp += 3; *pp = &{x}; (*p{y})--;"),
            format!("    {p}mix({x}); {p}mix({y}); {p}mix(pp == &p{y}); {p}mix(*p{x} == **pp);"),
            "}".to_string(),
        ];
        self.lines_of(&lines)
    }

    fn matrix(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (m, i, row) = (self.local_name("y"), self.local_name("i"), self.local_name("r"));
        let kind = self.kind().name();
        let (rows, columns) = (1 + self.random.below(4), 1 + self.random.below(4));
        let value = self.pure_integer(2);
        let last = format!("{m}[{rows} - 1][{columns} - 1]");
        let lines = [
            "{".to_string(),
            format!("    {kind} {m}[{rows}][{columns}] = {{{{0}}}}, (*{row})[{columns}] = {m};"),
            format!("    for (int {i} = 0; {i} < {rows} * {columns}; {i}++)"),
            format!("        {m}[{i} / {columns}][{i} % {columns}] += {i} ^ ({});", value.text),
            format!("    for (; {row} < {m} + {rows}; {row}++) {p}mix((*{row})[0] + *{row}[0]);"),
            format!("    {p}mix({last}); {p}mix(sizeof {m} / sizeof {m}[0] + sizeof *{row});"),
            "}".to_string(),
        ];
        self.lines_of(&lines)
    }

    fn type_of(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let (x, y) = (self.local_name("x"), self.local_name("x"));
        let (value, other) = (self.pure_integer(2), self.integer(2));
        let operand = value.promoted();
        self.line(format!("__typeof__({operand}) {x} = {};", other.argument()));
        self.line(format!("__typeof__({x}) *{y} = &{x};"));
        self.line(format!("{p}mix(*{y} + sizeof({x}));"));
        true
    }

    fn expression_statements(&mut self) -> bool {
        let condition = self.integer(1);
        let (first, second) = (self.integer(2), self.integer(2));
        match self.random.below(3) {
            0 => self.line(format!(
                "{} ? (void){} : (void){};",
                condition.at(binding::OR),
                first.at(binding::UNARY),
                second.at(binding::UNARY)
            )),
            1 => self.line(format!("{} && {};", condition.at(binding::AND), first.at(binding::AND + 1))),
            _ => self.line(format!("{}, (void){};", first.text, second.at(binding::UNARY))),
        }
        true
    }

    fn overflow_checks(&mut self) -> bool {
        let p = self.config.prefix.clone();
        let r = self.local_name("r");
        let kinds: Vec<Int> = self.features.ints.iter().copied().filter(|k| *k != Int::Bool).collect();
        let kind = if kinds.is_empty() { Int::Int } else { *self.random.pick(&kinds) };
        let (left, right) = (self.pure_integer(2), self.pure_integer(2));
        let operation = *self.random.pick(&["add", "sub", "mul"]);
        let lines = [
            "{".to_string(),
            format!("    {} {r};", kind.name()),
            format!(
                "    if (__builtin_{operation}_overflow({}, {}, &{r})) {p}mix(99);",
                left.argument(),
                right.argument()
            ),
            format!("    {p}mix({r});"),
            "}".to_string(),
        ];
        self.lines_of(&lines)
    }
}
