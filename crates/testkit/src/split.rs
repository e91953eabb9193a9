//! Programs split into two files at random, for tests of linking.
//!
//! Every object and function at file scope loses its `static` and goes to one of the files; the other file declares it.
//! Types, prototypes and `inline` functions go to both. `cc a.c b.c` must compute what the whole program computes, and so
//! must we.

use base::Random;
use cfront::ast::{Ast, Declaration, FunctionDef, Item, Span};
use cfront::parse;
use cfront::source::Source;

/// The two files; none if the program has a form that we do not take apart.
pub fn split(text: &str, seed: u64) -> Option<[String; 2]> {
    let source = Source::new("program.c", text);
    let (ast, diagnostics) = parse::parse(&source);
    if !diagnostics.is_empty() {
        return None;
    }
    let mut random = Random::new(seed);
    let mut files = [String::new(), String::new()];
    for item in &ast.items {
        let owner = usize::from(random.below(2) == 1);
        let (own, other) = match item {
            Item::Function(function) => function_parts(&ast, text, function)?,
            Item::Declaration(declaration) => declaration_parts(text, declaration)?,
            Item::StaticAssert(_) => continue,
            Item::Asm(..) => return None,
        };
        files[owner].push_str(&format!("{own}\n"));
        files[1 - owner].push_str(&format!("{other}\n"));
    }
    Some(files)
}

fn part(text: &str, span: Span) -> &str {
    &text[span.start as usize..span.end as usize]
}

fn without_static(text: &str) -> &str {
    text.strip_prefix("static ").unwrap_or(text)
}

/// The definition, and its declaration.
fn function_parts(ast: &Ast, text: &str, function: &FunctionDef) -> Option<(String, String)> {
    let whole = part(text, function.span);
    if !function.old_style.is_empty() {
        return None;
    }
    let body = ast.stmts[function.body].span;
    let head = part(text, Span { start: function.span.start, end: body.start });
    if head.contains("inline") {
        // Two copies of a static object would not be the program we had.
        return (!part(text, body).contains("static ")).then(|| (whole.to_owned(), whole.to_owned()));
    }
    Some((without_static(whole).to_owned(), format!("{};", without_static(head.trim_end()))))
}

fn declaration_parts(text: &str, declaration: &Declaration) -> Option<(String, String)> {
    let whole = part(text, declaration.span);
    let storage = &declaration.specifiers.storage;
    let is_shared = storage.typedef || storage.external || !storage.statik;
    match declaration.declarators.as_slice() {
        [] => Some((whole.to_owned(), whole.to_owned())),
        [one] if !is_shared => {
            let plain = without_static(whole);
            // Behind the name, since attributes in front of it may have parentheses and initialisers.
            let name = (one.declarator.span.start - declaration.span.start) as usize - (whole.len() - plain.len());
            let end = plain[name..].find(['=', ';']).map_or(plain.len(), |at| name + at);
            Some((plain.to_owned(), format!("extern {};", plain[..end].trim_end())))
        }
        _ if is_shared => Some((whole.to_owned(), whole.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn definitions_go_to_one_file_and_declarations_to_the_other() {
        let text = "struct s { int x; };\nstatic struct s g = { 3 };\nstatic int f(int a)\n{\n    return a + g.x;\n}\n\
                    int main(void)\n{\n    return f(1);\n}\n";
        for seed in 0..8 {
            let files = split(text, seed).expect("it can be split");
            for file in &files {
                assert!(file.contains("struct s { int x; };"), "{file}");
                assert!(file.contains("struct s g = { 3 };") != file.contains("extern struct s g;"), "{file}");
                assert!(file.contains("return a + g.x;") != file.contains("int f(int a);"), "{file}");
            }
            assert_eq!(files.iter().filter(|file| file.contains("return f(1)")).count(), 1);
        }
    }
}
