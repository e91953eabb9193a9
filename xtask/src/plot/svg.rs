//! An SVG file, shape by shape.

/// A picture under construction.
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub enum Anchor {
    /// It starts there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

impl Svg {
    /// An empty picture of this size, with a white ground so that it can be read in dark surroundings too.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new() }
    }
    /// A line through these points.
    pub fn path(&mut self, points: &[(f64, f64)], colour: &str, width: f64) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.body.push_str(&format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>\n",
            points.join(" ")
        ));
    }
    /// A straight line, dashed if wanted.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, dashes: Option<&str>) {
        let dashes = dashes.map_or(String::new(), |dashes| format!(" stroke-dasharray=\"{dashes}\""));
        self.body.push_str(&format!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"{dashes}/>\n",
            from.0, from.1, to.0, to.1
        ));
    }
    /// A filled circle.
    pub fn dot(&mut self, at: (f64, f64), radius: f64, colour: &str) {
        self.body.push_str(&format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{colour}\" fill-opacity=\"0.65\"/>\n",
            at.0, at.1
        ));
    }
    /// A cross.
    pub fn cross(&mut self, at: (f64, f64), radius: f64, colour: &str) {
        let (x, y) = at;
        self.body.push_str(&format!(
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n",
            x - radius,
            y - radius,
            x + radius,
            y + radius,
            x - radius,
            y + radius,
            x + radius,
            y - radius
        ));
    }
    /// A text.
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, colour: &str, text: &str) {
        self.words(at, anchor, colour, text, "");
    }
    /// A text that is read from below, around its point.
    pub fn upright(&mut self, at: (f64, f64), colour: &str, text: &str) {
        let turn = format!(" transform=\"rotate(-90 {:.1} {:.1})\"", at.0, at.1);
        self.words(at, Anchor::Middle, colour, text, &turn);
    }
    fn words(&mut self, at: (f64, f64), anchor: Anchor, colour: &str, text: &str, more: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.body.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{more}>{}</text>\n",
            at.0,
            at.1,
            escaped(text)
        ));
    }
    /// The file.
    pub fn finish(self) -> String {
        let Svg { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }
}

/// Text that means itself.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_mean_themselves() {
        let mut svg = Svg::new(10.0, 5.0);
        svg.text((1.0, 2.0), Anchor::End, "#000000", "a < b & \"c\"");
        let text = svg.finish();
        assert!(text.contains(">a &lt; b &amp; &quot;c&quot;</text>") && text.ends_with("</svg>\n"), "{text}");
        assert!(text.contains("viewBox=\"0 0 10 5\""), "{text}");
    }
}
