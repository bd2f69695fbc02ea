"""Writes the PDFs of reportlab, cairo and by hand into ../pdf, and the TrueType fonts of the first folder into the second."""
import sys
from pathlib import Path

import cairo
from fontTools.ttLib import TTFont as FontFile
from reportlab import rl_config
from reportlab.lib.colors import CMYKColor, PCMYKColor, PCMYKColorSep, Color, HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

rl_config.invariant = 1
PDF = Path(__file__).parent.parent / 'pdf'
CARD = (85 * mm, 55 * mm)


FONTS = Path(sys.argv[2])
for path in Path(sys.argv[1]).glob('*.woff2'):
    font = FontFile(path, recalcTimestamp=False)
    font.flavor = None
    font.save(FONTS / f'{path.stem}.ttf')
pdfmetrics.registerFont(TTFont('Plex', FONTS / 'IBMPlexSans-Regular-Latin1.ttf'))

# The alternates of inks are for screens, and are no builds.
ALTERNATE = {'1665': (0, 79, 100, 2), '5395': (96, 71, 34, 76), '7508': (4, 24, 48, 8), '7736': (76, 4, 71, 50)}


def ink(name, tint=100):
    alternate = next((values for number, values in ALTERNATE.items() if number in name), (30, 20, 10, 0))
    return PCMYKColorSep(*alternate, spotName=name, density=tint)


def page(canvas, *steps):
    for step in steps:
        step(canvas)
    canvas.showPage()


def rect(color, x, y, width=20, height=10):
    def draw(canvas):
        canvas.setFillColor(color)
        canvas.rect(x * mm, y * mm, width * mm, height * mm, stroke=0, fill=1)
    return draw


def line(color, y):
    def draw(canvas):
        canvas.setStrokeColor(color)
        canvas.line(5 * mm, y * mm, 80 * mm, y * mm)
    return draw


def text(color, string, x, y, size=10, font='Plex'):
    def draw(canvas):
        canvas.setFont(font, size)
        canvas.setFillColor(color)
        canvas.drawString(x * mm, y * mm, string)
    return draw


def see_through(color, x, y, width, height):
    def draw(canvas):
        canvas.setFillColor(color)
        canvas.setFillAlpha(0.5)
        canvas.rect(x * mm, y * mm, width * mm, height * mm, stroke=0, fill=1)
    return draw


def overprint(canvas):
    canvas.setFillOverprint(True)


def document(name, *pages, size=CARD):
    canvas = Canvas(str(PDF / f'{name}.pdf'), pagesize=size)
    for steps in pages:
        page(canvas, *steps)
    canvas.save()


INK, VERMILION = ink('PANTONE 5395 C'), ink('PANTONE 1665 C')
WHITE, BLACK = CMYKColor(0, 0, 0, 0), CMYKColor(0, 0, 0, 1)

# A business card in two inks, a tint of one of them, paper and black.
document('card', [
    rect(INK, 0, 0, 85, 55), text(VERMILION, 'Acme', 8, 40, 18), text(WHITE, 'Hallam Bridge', 8, 30),
], [
    rect(ink('PANTONE 5395 C', 30), 8, 8, 30, 6), text(BLACK, 'Made to be sharpened', 8, 30), line(VERMILION, 26),
    text(ink('PANTONE 5395 U'), 'For uncoated stock', 8, 20),
])

# Two digits changed, an ink of another book, and one that belongs to nobody.
document('card-inks', [
    rect(INK, 0, 0, 85, 55), text(ink('PANTONE 1655 C'), 'Acme', 8, 40, 18), text(WHITE, 'Hallam Bridge', 8, 30),
], [
    rect(ink('PANTONE 7736 U'), 8, 8), text(ink('PANTONE 1655 C'), 'Made to be sharpened', 8, 30),
    line(ink('Reflex Blue'), 26), rect(ink('PANTONE P 75-12 C'), 40, 8),
])

# The names of the same inks that programs and people write.
document('label-names', [
    rect(ink('PMS 1665 C'), 8, 8), rect(ink('Pantone 7736 CVC'), 30, 8), rect(ink('PANTONE 5395 U'), 52, 8),
    line(ink('PANTONE 7557 CV'), 30), text(ink('PMS 7691'), 'One workshop', 8, 40),
    rect(ink('RAL 2002'), 8, 22, 10, 5), rect(ink('RAL7001'), 20, 22, 10, 5),
], [
    # The brand has 7508 C and 7508 U, so the name without a book says neither.
    rect(ink('Pantone 7508'), 8, 8), text(ink('pantone 7544 c'), 'Two planes', 8, 40),
])

# RGB in a file for print.
document('leaflet-rgb', [
    rect(INK, 0, 45, 85, 10), rect(HexColor('#cc3a06'), 8, 8), rect(HexColor('#1f5e94'), 30, 8),
], [
    rect(VERMILION, 0, 45, 85, 10), text(BLACK, 'Eleven planes', 8, 30),
], [
    rect(INK, 0, 45, 85, 10), text(Color(0, 0, 0), 'RGB black', 8, 30),
])

# A standard font that is not in the file. reportlab declares it in all files, but only this one uses it.
document('fonts', [
    rect(INK, 0, 45, 85, 10), text(BLACK, 'Not in the file', 8, 30, font='Helvetica'),
    text(BLACK, 'In the file', 8, 20),
], [text(VERMILION, 'Not in the file either', 8, 30, font='Times-Roman')])

# Overprint, and ink through which others are seen.
document('label-overprint', [
    rect(ink('PANTONE 7508 C'), 0, 0, 85, 55), overprint, text(BLACK, 'On top of the ink', 8, 30),
], [rect(INK, 0, 0, 85, 55), see_through(VERMILION, 20, 10, 40, 30)])

# Process inks beside a spot colour: a right build and its tints, and wrong ones.
document('flyer-builds', [
    rect(VERMILION, 0, 45, 85, 10), rect(PCMYKColor(0, 85, 100, 10), 5, 5), rect(PCMYKColor(0, 42.5, 50, 5), 27, 5),
    rect(PCMYKColor(0, 0, 0, 40), 49, 5), rect(PCMYKColor(25, 48, 95, 12), 5, 20), line(PCMYKColor(100, 100, 100, 100), 42),
    # 40 % of Chalk Blue, rounded to whole percents; White; Ink in text is the brand's own build of four plates.
    rect(PCMYKColor(36, 24, 6, 2), 27, 20), rect(PCMYKColor(0, 0, 0, 0), 49, 20), text(PCMYKColor(85, 65, 50, 70), 'Ink', 70, 30),
], [
    rect(PCMYKColor(0, 85, 100, 0), 5, 5), rect(PCMYKColor(80, 10, 0, 0), 27, 5), rect(PCMYKColor(75, 68, 67, 90), 49, 5),
    # Of Bench Green, but not in equal steps.
    rect(PCMYKColor(40, 42, 34, 19), 5, 20), text(PCMYKColor(60, 40, 40, 100), 'On four plates', 8, 35),
])

# A file for screens, with the logo in process inks: nothing is judged as print.
document('letterhead', [
    rect(PCMYKColor(0, 60, 90, 0), 8, 265, 30, 12), text(HexColor('#14212b'), 'The workshop of Acme', 8, 240),
    text(HexColor('#cb3b08'), 'We leverage steel', 8, 225), line(HexColor('#8e44ad'), 220),
    text(HexColor('#808080'), 'Grey', 8, 210, 26), rect(HexColor('#faf7f2'), 8, 20, 100, 20),
], size=(210 * mm, 297 * mm))


def cairo_badge():
    surface = cairo.PDFSurface(str(PDF / 'cairo-badge.pdf'), 200, 120)
    surface.set_metadata(cairo.PDF_METADATA_CREATE_DATE, '2026-01-01T00:00:00Z')
    context = cairo.Context(surface)
    for (x, color) in [(10, 0xcc3a06), (60, 0xe4b41c), (110, 0x2c5b4b), (160, 0x818d98)]:
        context.set_source_rgb(*[(color >> shift & 255) / 255 for shift in (16, 8, 0)])
        context.rectangle(x, 10, 35, 35)
        context.fill()
    context.set_source_rgb(0x14 / 255, 0x21 / 255, 0x2b / 255)
    context.select_font_face('DejaVu Serif')
    context.set_font_size(14)
    context.move_to(10, 80)
    context.show_text('Tools of the user')
    context.show_page()
    context.set_source_rgb(0xe4 / 255, 0xb4 / 255, 0x1c / 255)
    context.set_line_width(4)
    context.move_to(10, 10)
    context.line_to(190, 100)
    context.stroke()
    surface.finish()


cairo_badge()

# As drawing programs declare the swatches of a document, used or not, and a form that nothing shows.
OBJECTS = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /ColorSpace << /CS0 5 0 R /CS1 6 0 R >> '
    '/XObject << /Fm0 8 0 R >> >> >>',
    None,
    '[/Separation /PANTONE#20200#20C /DeviceCMYK 7 0 R]',
    '[/Separation /None /DeviceCMYK 7 0 R]',
    '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 0.7 0.1] /N 1 >>',
]


def stream(content, entries=''):
    return f'<< {entries} /Length {len(content)} >>\nstream\n{content}\nendstream'


def declared():
    objects = list(OBJECTS)
    objects[3] = stream('/CS0 cs\n/CS1 cs 1 scn 10 10 20 20 re f\n0.8 0.227451 0.023529 rg 50 10 40 40 re f\n'
                        '1 0 1 rg\n0.109804 0.341176 0.282353 rg\n0.172549 0.352941 0.290196 rg 100 10 40 40 re f')
    objects.append(stream('/CS0 cs 1 scn 0 0 10 10 re f', '/Type /XObject /Subtype /Form /BBox [0 0 10 10] '
                          '/Resources << /ColorSpace << /CS0 5 0 R >> >>'))
    data, offsets = '%PDF-1.6\n', []
    for number, content in enumerate(objects, 1):
        offsets.append(len(data))
        data += f'{number} 0 obj\n{content}\nendobj\n'
    table = ''.join(f'{offset:010} 00000 n \n' for offset in offsets)
    size = len(objects) + 1
    (PDF / 'declared.pdf').write_text(
        f'{data}xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n')


declared()
