//! A terminal as a picture: what a program has written so far, as shown on the screen.
//!
//! Understands what our own display uses: line ends, going up, erasing, and colours.

/// A character in a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    letter: char,
    colour: &'static str,
    is_bold: bool,
}

/// What is on the screen.
#[derive(Default)]
pub struct Screen {
    rows: Vec<Vec<Cell>>,
    row: usize,
    column: usize,
    colour: Option<&'static str>,
    is_bold: bool,
}

const PLAIN: &str = "#d7dae0";

impl Screen {
    /// Takes in what was written.
    pub fn write(&mut self, text: &str) {
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '\r' => self.column = 0,
                '\n' => {
                    self.row += 1;
                    self.column = 0;
                }
                '\x1b' if letters.peek() == Some(&'[') => {
                    letters.next();
                    let mut numbers = String::new();
                    // A sequence that is cut off has no end, and no meaning.
                    let end = loop {
                        match letters.next() {
                            Some(c) if c.is_ascii_alphabetic() => break c,
                            Some(c) => numbers.push(c),
                            None => return,
                        }
                    };
                    self.obey(end, &numbers);
                }
                letter if letter.is_control() => {}
                letter => self.put(letter),
            }
        }
    }

    fn obey(&mut self, end: char, numbers: &str) {
        let number = numbers.parse::<usize>().unwrap_or(1);
        match end {
            'A' => self.row = self.row.saturating_sub(number),
            'J' => {
                self.rows.truncate(self.row + 1);
                self.erase_line();
            }
            'K' => self.erase_line(),
            'm' => numbers.split(';').for_each(|number| match number {
                "1" => self.is_bold = true,
                "31" => self.colour = Some("#ff7b72"),
                "32" => self.colour = Some("#7ee787"),
                "33" => self.colour = Some("#f2cc60"),
                "35" => self.colour = Some("#d2a8ff"),
                "36" => self.colour = Some("#79c0ff"),
                _ => (self.colour, self.is_bold) = (None, false),
            }),
            _ => {}
        }
    }

    fn erase_line(&mut self) {
        if let Some(row) = self.rows.get_mut(self.row) {
            row.truncate(self.column);
        }
    }

    fn put(&mut self, letter: char) {
        let blank = Cell { letter: ' ', colour: PLAIN, is_bold: false };
        if self.rows.len() <= self.row {
            self.rows.resize(self.row + 1, Vec::new());
        }
        let row = &mut self.rows[self.row];
        if row.len() <= self.column {
            row.resize(self.column + 1, blank);
        }
        row[self.column] = Cell { letter, colour: self.colour.unwrap_or(PLAIN), is_bold: self.is_bold };
        self.column += 1;
    }

    /// The text, without colours.
    pub fn text(&self) -> String {
        self.rows.iter().map(|row| row.iter().map(|cell| cell.letter).collect::<String>() + "\n").collect()
    }

    /// The picture: a window with a prompt, the command, and what is on the screen.
    pub fn picture(&self, command: &str) -> String {
        const LETTER: f64 = 8.4;
        const LINE: f64 = 19.0;
        let mut screen = Screen::default();
        screen.write(&format!("\x1b[1;32m$\x1b[0m {command}\n"));
        screen.rows.extend(self.rows.iter().cloned());
        let columns = screen.rows.iter().map(Vec::len).max().unwrap_or(0).max(60);
        let (width, height) = (columns as f64 * LETTER + 32.0, screen.rows.len() as f64 * LINE + 58.0);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\" xml:space=\"preserve\">\n\
             <rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"8\" fill=\"#1f2329\"/>\n"
        );
        for (index, colour) in ["#ff5f56", "#ffbd2e", "#27c93f"].iter().enumerate() {
            text.push_str(&format!("<circle cx=\"{}\" cy=\"17\" r=\"6\" fill=\"{colour}\"/>\n", 20 + index * 20));
        }
        for (index, row) in screen.rows.iter().enumerate() {
            let y = 52.0 + index as f64 * LINE;
            let mut start = 0;
            while start < row.len() {
                let style = (row[start].colour, row[start].is_bold);
                let length = row[start..].iter().take_while(|cell| (cell.colour, cell.is_bold) == style).count();
                let letters: String = row[start..start + length].iter().map(|cell| cell.letter).collect();
                if !letters.trim().is_empty() {
                    let bold = if style.1 { " font-weight=\"bold\"" } else { "" };
                    text.push_str(&format!(
                        "<text x=\"{:.1}\" y=\"{y:.1}\" fill=\"{}\"{bold} textLength=\"{:.1}\">{}</text>\n",
                        16.0 + start as f64 * LETTER,
                        style.0,
                        length as f64 * LETTER,
                        super::svg::escaped(&letters)
                    ));
                }
                start += length;
            }
        }
        text.push_str("</svg>\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redrawn_frame_takes_the_place_of_the_one_before() {
        let mut screen = Screen::default();
        screen.write("12 s\r\nbmc\r\n\x1b[2A\r\x1b[J13 s\r\neuf\r\n");
        assert_eq!(screen.text(), "13 s\neuf\n");
        screen.write("\rSAFE\x1b[K");
        assert_eq!(screen.text(), "13 s\neuf\nSAFE\n");
    }

    #[test]
    fn colours_and_names_reach_the_picture() {
        let mut screen = Screen::default();
        screen.write("\x1b[1;31mUNSAFE\x1b[0m: a < b");
        let picture = screen.picture("uforia check a.c");
        assert!(picture.contains("#ff7b72") && picture.contains(">UNSAFE</text>"), "{picture}");
        assert!(picture.contains(": a &lt; b</text>") && picture.contains("uforia check a.c"), "{picture}");
        screen.write("\x1b[3");
    }
}
