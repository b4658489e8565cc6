"""A chart of lines as SVG, for figures that are kept."""

COLOURS = ["#1f6fb4", "#e07b28", "#2f9e6e", "#b04a8f", "#6b6b6b", "#c23b3b"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 64, 176, 40, 48


def round_step(span, count=6):
    """A step of 1, 2 or 5 times a power of ten, of which about `count` fill the span."""
    step = 10.0 ** -9
    while True:
        for factor in (1, 2, 5):
            if span / (step * factor) <= count:
                return step * factor
        step *= 10


def lines(title, x_label, y_label, series):
    """The SVG text of {name: [(x, y), ...]}; both axes begin at 0."""
    x_most = max(x for points in series.values() for x, _ in points)
    y_most = max(max(y for points in series.values() for _, y in points), 1)
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(x, y):
        return f"{LEFT + width * x / x_most:.1f},{TOP + height * (1 - y / y_most):.1f}"

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           f'<text x="{LEFT}" y="22" font-size="14" font-weight="bold">{title}</text>']
    for most, is_x in ((x_most, True), (y_most, False)):
        step, tick = round_step(most), 0.0
        while tick <= most * 1.0001:
            x, y = at(tick if is_x else 0, 0 if is_x else tick).split(",")
            to = f'x2="{x}" y2="{TOP}"' if is_x else f'x2="{LEFT + width}" y2="{y}"'
            place = f'x="{x}" y="{TOP + height + 16}" text-anchor="middle"' if is_x else f'x="{LEFT - 8}" y="{float(y) + 4:.1f}" text-anchor="end"'
            out += [f'<line x1="{x}" y1="{y}" {to} stroke="#e4e4e4"/>', f'<text {place}>{tick:g}</text>']
            tick += step
    out += [f'<text x="{LEFT + width / 2}" y="{HEIGHT - 10}" text-anchor="middle">{x_label}</text>',
            f'<text x="16" y="{TOP + height / 2}" text-anchor="middle" transform="rotate(-90 16 {TOP + height / 2})">{y_label}</text>']
    for k, (name, points) in enumerate(series.items()):
        colour, y = COLOURS[k % len(COLOURS)], TOP + 14 + 20 * k
        out += [f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{" ".join(at(*point) for point in points)}"/>',
                f'<line x1="{LEFT + width + 14}" y1="{y}" x2="{LEFT + width + 36}" y2="{y}" stroke="{colour}" stroke-width="2"/>',
                f'<text x="{LEFT + width + 42}" y="{y + 4}">{name}</text>']
    return "\n".join(out + ["</svg>", ""])
