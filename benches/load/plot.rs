//! Lines on logarithmic axes, as SVG.

use std::fmt::Write;

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 320.0;
/// Around the axes: left, top, right, bottom.
const MARGIN: [f64; 4] = [62.0, 34.0, 30.0, 40.0];
const COLOURS: [&str; 6] = [
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf",
];
const LEGEND_LINE: f64 = 16.0;

/// A line and its name.
pub(crate) struct Series {
    pub(crate) name: String,
    /// None is 0 or below.
    pub(crate) points: Vec<(f64, f64)>,
}

/// A drawing with two axes.
pub(crate) struct Panel {
    pub(crate) title: &'static str,
    pub(crate) x: &'static str,
    pub(crate) series: Vec<Series>,
}

/// A range of powers of ten and where it is drawn.
struct Axis {
    decades: (f64, f64),
    pixels: (f64, f64),
}

impl Axis {
    fn over(values: impl Iterator<Item = f64> + Clone, pixels: (f64, f64)) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
        let most = values.fold(0.0, f64::max).log10().ceil();
        Self {
            decades: (least, most.max(least + 1.0)),
            pixels,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let part = (value.log10() - self.decades.0) / (self.decades.1 - self.decades.0);
        self.pixels.0 + part * (self.pixels.1 - self.pixels.0)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (first, last) = self.decades;
        std::iter::successors(Some(first), |decade| Some(decade + 1.0))
            .take_while(move |decade| *decade <= last)
            .map(|decade| 10_f64.powf(decade))
    }
}

/// The panels, one beside the other; their y axis is requests per second.
pub(crate) fn svg(panels: &[Panel]) -> String {
    let panels: Vec<_> = panels
        .iter()
        .filter(|panel| !panel.series.is_empty())
        .collect();
    let most = panels
        .iter()
        .map(|panel| panel.series.len())
        .max()
        .unwrap_or_default();
    let legend = LEGEND_LINE * whole(most) + 8.0;
    let (width, height) = (WIDTH * whole(panels.len()), HEIGHT + legend);
    let mut drawn = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (at, panel) in panels.iter().enumerate() {
        let _ = writeln!(
            drawn,
            "<g transform=\"translate({} 0)\">",
            WIDTH * whole(at)
        );
        draw(panel, &mut drawn);
        drawn.push_str("</g>\n");
    }
    drawn.push_str("</svg>\n");
    drawn
}

fn draw(panel: &Panel, to: &mut String) {
    let [left, top, right, bottom] = MARGIN;
    let (end, floor) = (WIDTH - right, HEIGHT - bottom);
    let points = panel.series.iter().flat_map(|series| &series.points);
    let x = Axis::over(points.clone().map(|point| point.0), (left, end));
    let y = Axis::over(points.map(|point| point.1), (floor, top));
    let middle = f64::midpoint(left, end);
    let title = panel.title;
    text(
        to,
        (middle, 18.0),
        "middle",
        &format!("{title}: requests per second"),
    );
    text(to, (middle, HEIGHT - 8.0), "middle", panel.x);
    for value in x.ticks() {
        let at = x.place(value);
        line(to, (at, top), (at, floor));
        text(to, (at, floor + 16.0), "middle", &grouped(value));
    }
    for value in y.ticks() {
        let at = y.place(value);
        line(to, (left, at), (end, at));
        text(to, (left - 6.0, at + 4.0), "end", &grouped(value));
    }
    for (at, series) in panel.series.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let places = series
            .points
            .iter()
            .map(|&(across, up)| (x.place(across), y.place(up)));
        let path: Vec<_> = places
            .clone()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let path = path.join(" ");
        let _ = writeln!(
            to,
            "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        for (x, y) in places {
            let _ = writeln!(
                to,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
            );
        }
        let below = HEIGHT + LEGEND_LINE * whole(at) + 6.0;
        let _ = writeln!(
            to,
            "<rect x=\"{left}\" y=\"{}\" width=\"14\" height=\"3\" fill=\"{colour}\"/>",
            below - 5.0
        );
        text(to, (left + 20.0, below), "start", &series.name);
    }
}

fn line(to: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let _ = writeln!(
        to,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ddd\"/>"
    );
}

fn text(to: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let _ = writeln!(
        to,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut apart = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            apart.push(',');
        }
        apart.push(digit);
    }
    apart
}

fn whole(number: usize) -> f64 {
    crate::measure::precise(number as u64)
}
