//! Plots as SVG files, dark on white, so that they can be read on any page.

use std::error::Error;
use std::path::Path;

use plotters::chart::ChartContext;
pub use plotters::chart::SeriesLabelPosition;
use plotters::coord::{CoordTranslate, Shift};
use plotters::prelude::{
    BLACK, ChartBuilder, Circle, Color, DrawingArea, IntoDrawingArea, IntoLogRange, LineSeries, PathElement, RGBColor,
    Rectangle, SVGBackend, WHITE,
};

const SIZE: (u32, u32) = (760, 420);
const COLOURS: [RGBColor; 5] =
    [RGBColor(0, 90, 181), RGBColor(220, 50, 32), RGBColor(0, 130, 90), RGBColor(150, 80, 170), RGBColor(200, 130, 0)];

/// What a plot shows, and its axes with their units.
pub struct Axes<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    /// A corner without data.
    pub legend: SeriesLabelPosition,
}

/// A value for each place of the horizontal axis.
pub struct Series {
    pub name: String,
    pub values: Vec<f64>,
}

/// Where the vertical axis begins.
#[derive(Clone, Copy)]
pub enum Baseline {
    /// At zero, so that lengths can be compared.
    Zero,
    /// Below the lowest value, so that small differences can be seen.
    Lowest,
}

/// Lines over evenly spaced places.
pub fn lines(
    path: &Path,
    axes: Axes<'_>,
    places: &[String],
    series: &[Series],
    baseline: Baseline,
) -> Result<(), Box<dyn Error>> {
    let root = canvas(path)?;
    let (lowest, highest) = extent(series);
    let bottom = match baseline {
        Baseline::Zero => 0.0,
        Baseline::Lowest => lowest - 0.1 * (highest - lowest),
    };
    let top = highest + 0.1 * (highest - bottom).max(f64::MIN_POSITIVE);
    let mut chart = builder(&root, axes.title).build_cartesian_2d(-0.2..places.len() as f64 - 0.8, bottom..top)?;
    let label = |place: &f64| whole_place(*place, 0.0).and_then(|place| places.get(place)).cloned().unwrap_or_default();
    chart
        .configure_mesh()
        .disable_x_mesh()
        .max_light_lines(1)
        .x_labels(places.len() * 5)
        .x_label_formatter(&label)
        .x_desc(axes.x)
        .y_desc(axes.y)
        .draw()?;
    for (series, colour) in series.iter().zip(COLOURS) {
        let points: Vec<(f64, f64)> = (0..).map(f64::from).zip(series.values.iter().copied()).collect();
        let style = colour.stroke_width(2);
        chart
            .draw_series(LineSeries::new(points.clone(), style))?
            .label(&series.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
        chart.draw_series(points.into_iter().map(|point| Circle::new(point, 4, colour.filled())))?;
    }
    finish(chart, axes.legend)
}

/// Groups of bars on a logarithmic axis.
pub fn bars(path: &Path, axes: Axes<'_>, groups: &[String], series: &[Series]) -> Result<(), Box<dyn Error>> {
    let root = canvas(path)?;
    let (lowest, highest) = extent(series);
    let (bottom, top) = (lowest / 3.0, highest * 30.0);
    let mut chart =
        builder(&root, axes.title).build_cartesian_2d(0.0..groups.len() as f64, (bottom..top).log_scale())?;
    let label = |place: &f64| whole_place(*place, 0.5).and_then(|group| groups.get(group)).cloned().unwrap_or_default();
    chart
        .configure_mesh()
        .disable_x_mesh()
        .max_light_lines(1)
        .x_labels(groups.len() * 2 + 1)
        .x_label_formatter(&label)
        .y_label_formatter(&|bytes| format!("{bytes:.0e}"))
        .x_desc(axes.x)
        .y_desc(axes.y)
        .draw()?;
    let width = 0.8 / series.len() as f64;
    for (number, (series, colour)) in series.iter().zip(COLOURS).enumerate() {
        let bar = |(group, &value): (usize, &f64)| {
            let left = group as f64 + 0.1 + number as f64 * width;
            Rectangle::new([(left, bottom), (left + width, value)], colour.filled())
        };
        chart
            .draw_series(series.values.iter().enumerate().map(bar))?
            .label(&series.name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 20, y + 5)], colour.filled()));
    }
    finish(chart, axes.legend)
}

/// Draws the legend and writes the file.
fn finish<'a, C: CoordTranslate>(
    mut chart: ChartContext<'a, SVGBackend<'a>, C>,
    legend: SeriesLabelPosition,
) -> Result<(), Box<dyn Error>> {
    chart.configure_series_labels().position(legend).background_style(WHITE.mix(0.9)).border_style(BLACK).draw()?;
    chart.plotting_area().present()?;
    Ok(())
}

fn canvas(path: &Path) -> Result<DrawingArea<SVGBackend<'_>, Shift>, Box<dyn Error>> {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    Ok(root)
}

fn builder<'a, 'b>(root: &'a DrawingArea<SVGBackend<'b>, Shift>, title: &str) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(root);
    builder.caption(title, ("sans-serif", 20)).margin(12).x_label_area_size(44).y_label_area_size(72);
    builder
}

/// The least and the greatest value.
fn extent(series: &[Series]) -> (f64, f64) {
    let values = || series.iter().flat_map(|series| series.values.iter().copied());
    (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
}

/// The number of the place whose label stands at `place`, which is `offset` after the place itself.
fn whole_place(place: f64, offset: f64) -> Option<usize> {
    let number = place - offset;
    ((number - number.round()).abs() < 1e-6 && number > -0.5).then_some(number.round() as usize)
}
