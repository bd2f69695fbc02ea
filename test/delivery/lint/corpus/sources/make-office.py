"""Writes the .fodp and .fodt files beside this script: what LibreOffice converts to .pptx and .docx."""
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).parent
NAMES = {'office': 'office', 'style': 'style', 'text': 'text', 'draw': 'drawing', 'table': 'table',
         'presentation': 'presentation'}
XMLNS = ' '.join([f'xmlns:{k}="urn:oasis:names:tc:opendocument:xmlns:{v}:1.0"' for k, v in NAMES.items()] + [
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'])
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def attributes(values):
    return ''.join(f' {name}="{escape(str(value))}"' for name, value in values.items())


class Styles:
    def __init__(self):
        self.rules = {}

    def name(self, family, **groups):
        rule = ''.join(f'<style:{group}-properties{attributes(values)}/>' for group, values in groups.items() if values)
        parent = ' style:parent-style-name="Standard"' if family in ('paragraph',) else ''
        return self.rules.setdefault((family, rule, parent), f'{family[0]}{len(self.rules) + 1}')

    def text(self):
        return ''.join(f'<style:style style:name="{name}" style:family="{family}"{parent}>{rule}</style:style>\n'
                       for (family, rule, parent), name in self.rules.items())


def run_style(color='#14212b', font='IBM Plex Sans', size='12pt', bold=False, highlight=None):
    return {'fo:color': color, 'fo:font-family': font, 'fo:font-size': size,
            **({'fo:font-weight': 'bold'} if bold else {}),
            **({'fo:background-color': highlight} if highlight else {})}


def paragraph(styles, runs, **of_paragraph):
    runs = [runs] if isinstance(runs, (str, tuple)) else runs
    spans = ''
    for run in runs:
        text, style = (run, {}) if isinstance(run, str) else run
        name = styles.name('text', text=run_style(**style))
        spans += f'<text:span text:style-name="{name}">{escape(text)}</text:span>'
    name = styles.name('paragraph', paragraph=of_paragraph, text=run_style(**(runs[0][1] if isinstance(runs[0], tuple) else {})))
    return f'<text:p text:style-name="{name}">{spans}</text:p>'


def shape(styles, place, *paragraphs, fill=None, line=None, opacity=None, kind='rect'):
    x, y, width, height = place
    graphic = {'draw:fill': 'solid' if fill else 'none', **({'draw:fill-color': fill} if fill else {}),
               **({'draw:opacity': opacity} if opacity else {}),
               'draw:stroke': 'solid' if line else 'none', **({'svg:stroke-color': line} if line else {})}
    name = styles.name('graphic', graphic=graphic)
    inside = ''.join(paragraph(styles, runs) for runs in paragraphs)
    at = f'draw:style-name="{name}" svg:x="{x}cm" svg:y="{y}cm" svg:width="{width}cm" svg:height="{height}cm"'
    if kind == 'text':
        return f'<draw:frame {at}><draw:text-box>{inside}</draw:text-box></draw:frame>\n'
    return f'<draw:{kind} {at}>{inside}</draw:{kind}>\n'


def table(styles, place, rows):
    x, y, width, height = place
    cells = ''
    for row in rows:
        cells += '<table:table-row>'
        for text, fill, style in row:
            name = styles.name('table-cell', graphic={'draw:fill': 'solid', 'draw:fill-color': fill}, paragraph={'fo:border': '0.5pt solid #c9d0d5'})
            cells += f'<table:table-cell table:style-name="{name}">{paragraph(styles, (text, style))}</table:table-cell>'
        cells += '</table:table-row>'
    columns = '<table:table-column/>' * len(rows[0])
    return (f'<draw:frame svg:x="{x}cm" svg:y="{y}cm" svg:width="{width}cm" svg:height="{height}cm">'
            f'<table:table>{columns}{cells}</table:table></draw:frame>\n')


def deck(name, slides):
    styles = Styles()
    pages = ''.join(f'<draw:page draw:name="Slide {number}" draw:master-page-name="Default">\n{"".join(make(styles))}</draw:page>\n'
                    for number, make in enumerate(slides, 1))
    (HERE / f'{name}.fodp').write_text(
        f'{HEAD}<office:document {XMLNS} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation">\n'
        '<office:styles><style:style style:name="Standard" style:family="paragraph"/></office:styles>\n'
        '<office:automatic-styles>\n<style:page-layout style:name="PM1"><style:page-layout-properties fo:page-width="28cm" fo:page-height="15.75cm"/></style:page-layout>\n'
        f'{styles.text()}</office:automatic-styles>\n'
        '<office:master-styles><style:master-page style:name="Default" style:page-layout-name="PM1"/></office:master-styles>\n'
        f'<office:body><office:presentation>\n{pages}</office:presentation></office:body></office:document>\n')


def letter(name, make):
    styles = Styles()
    body = ''.join(make(styles))
    (HERE / f'{name}.fodt').write_text(
        f'{HEAD}<office:document {XMLNS} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">\n'
        '<office:styles><style:default-style style:family="paragraph"><style:text-properties fo:font-family="IBM Plex Sans" fo:font-size="12pt" fo:color="#14212b"/></style:default-style>'
        '<style:style style:name="Standard" style:family="paragraph"/>'
        '<style:style style:name="Old_20_Heading" style:display-name="Old Heading" style:family="paragraph" style:parent-style-name="Standard"><style:text-properties fo:color="#8e44ad" fo:font-family="Lobster" fo:font-size="24pt"/></style:style>'
        '<style:style style:name="Never" style:family="paragraph" style:parent-style-name="Standard"><style:text-properties fo:color="#00ffff" fo:font-family="Papyrus"/></style:style></office:styles>\n'
        f'<office:automatic-styles>\n{styles.text()}</office:automatic-styles>\n'
        f'<office:body><office:text>\n{body}</office:text></office:body></office:document>\n')


WIDE, LEFT, RIGHT, LOW = (2, 1, 24, 3), (2, 5, 11, 6), (15, 5, 11, 6), (2, 12, 24, 3)

deck('pitch', [
    lambda s: [shape(s, WIDE, ('Made to be sharpened', {'size': '24pt', 'bold': True}), kind='text'),
               shape(s, LEFT, ('Eleven planes', {'color': '#ffffff'}), fill='#cc3a06'),
               shape(s, RIGHT, ('Nine chisels', {'color': '#ffffff'}), fill='#ff6600')],
    lambda s: [shape(s, WIDE, ('For every user', {'size': '24pt', 'color': '#15222c'}), kind='text'),
               shape(s, LEFT, ('One factory', {'font': 'Calibri'}), 'The second paragraph is right.', kind='text'),
               shape(s, LOW, fill='#faf8f3', line='#ff6600')],
    lambda s: [shape(s, WIDE, ('The user keeps the edge', {'font': 'Calibri', 'size': '24pt'}), kind='text'),
               shape(s, RIGHT, ('Read the small text', {'color': '#818d98'}), fill='#ffffff', line='#000000')],
])
deck('right', [
    lambda s: [shape(s, WIDE, ('The tools of the owner', {'size': '24pt', 'color': '#000000'}), kind='text'),
               shape(s, LEFT, ('Ink on white', {'font': 'Arial'}), fill='#ffffff', line='#808080'),
               shape(s, RIGHT, ('Users and factories', {'color': '#ffffff'}), fill='#1f5e94', kind='ellipse')],
    lambda s: [shape(s, WIDE, [('Two ', {}), ('colours ', {'color': '#cc3a06'}), ('in one line', {'font': 'Helvetica Neue', 'color': '#333333'})], kind='text'),
               shape(s, LOW, fill='#dbb48a', opacity='50%')],
])
deck('old', [
    lambda s: [shape(s, WIDE, ('State of the art', {'size': '24pt', 'font': 'Comic Sans MS', 'color': '#800080'}), kind='text'),
               shape(s, LEFT, ('A cutting-edge solution', {'color': '#ffffff'}), fill='#4472c4', line='#2f528f'),
               shape(s, RIGHT, ('We leverage steel', {'color': '#000000'}), fill='#ed7d31', kind='ellipse')],
    lambda s: [shape(s, WIDE, ('Solutions', {'size': '13.5pt', 'font': 'Times New Roman'}), kind='text'),
               shape(s, LEFT, ('Cutting-edge', {'color': '#ffffff', 'size': '24pt'}), fill='#ffc000'),
               shape(s, RIGHT, fill='#4472c4')],
])
deck('table', [
    lambda s: [table(s, (2, 2, 20, 6), [
        [('Tool', '#14212b', {'color': '#ffffff'}), ('Price', '#14212b', {'color': '#ffffff'})],
        [('Plane', '#ffffff', {}), ('210', '#fff2cc', {})],
        [('Chisel', '#edf1f3', {}), ('45', '#ffffff', {'color': '#c00000'})],
        [('For the user', '#ffffff', {'font': 'Cambria'}), ('0', '#ffffff', {'color': '#c9d0d5'})]])],
])
deck('lines', [
    lambda s: [shape(s, LEFT, fill='#2c5b4b', opacity='40%'), shape(s, RIGHT, fill='#2c5a4a', opacity='40%'),
               shape(s, LOW, line='#00b0f0')],
    lambda s: [shape(s, LEFT, fill='#faf7f2', kind='ellipse'),
               shape(s, RIGHT, fill='#00b050', kind='ellipse'), shape(s, LOW, line='#c8cfd4')],
    lambda s: [shape(s, LEFT, fill='#00b0f0'), shape(s, WIDE, ('18 pt in a plain face', {'size': '18pt', 'font': 'Arial'}), kind='text')],
])
deck('deutsch', [
    lambda s: [shape(s, WIDE, ('Häuser und Käufer', {'size': '24pt'}), kind='text'),
               shape(s, LEFT, [('Die Fa', {}), ('brik', {'bold': True}), (' schärft', {})], 'Fabrikate, Größenangaben', kind='text')],
    lambda s: [shape(s, WIDE, ('Nachschleifen dauert zehn Minuten', {}), kind='text'),
               shape(s, LOW, ('ACME und Acme', {}), fill='#dab38a')],
])

letter('offer', lambda s: [
    paragraph(s, 'Dear owner of a plane,'),
    paragraph(s, [('We have a new ', {}), ('solution', {'color': '#cb3b08'}), (' for you.', {})]),
    paragraph(s, ('The price is in Calibri.', {'font': 'Calibri'})),
    paragraph(s, ('And this is in green.', {'color': '#00b050'})),
    paragraph(s, ('Calibri again, for the user and the factory.', {'font': 'Calibri'})),
])
letter('letter', lambda s: [
    paragraph(s, 'The workshop of Acme'),
    paragraph(s, ('Black on white', {'color': '#000000', 'font': 'Arial'})),
    paragraph(s, [('Users ', {'color': '#43505a'}), ('of tools', {'color': '#cc3a06'})], **{'fo:background-color': '#edf0f2'}),
    paragraph(s, ('Grey', {'color': '#666666'})),
])
letter('styles', lambda s: [
    '<text:p text:style-name="Old_20_Heading">A heading in an old style</text:p>',
    '<text:p text:style-name="Standard">Then a text that leverages nothing, and we leverage it.</text:p>',
    paragraph(s, ('Marked text', {'highlight': '#ffff00'})),
    paragraph(s, ('A panel', {}), **{'fo:background-color': '#d9e2f3'}),
    '<text:p text:style-name="Old_20_Heading">Another one</text:p>',
])
letter('price-list', lambda s: [
    paragraph(s, ('Prices', {'size': '24pt', 'color': '#1f5f95'})),
    '<table:table table:name="Prices"><table:table-column table:number-columns-repeated="2"/>' + ''.join(
        '<table:table-row>' + ''.join(
            f'<table:table-cell table:style-name="{s.name("table-cell", **{"table-cell": {"fo:background-color": fill, "fo:border": "0.5pt solid " + edge}})}" office:value-type="string">{paragraph(s, (text, style))}</table:table-cell>'
            for text, fill, edge, style in row) + '</table:table-row>'
        for row in [
            [('Tool', '#14212b', '#14212b', {'color': '#ffffff'}), ('Price', '#14212b', '#14212b', {'color': '#ffffff'})],
            [('Plane', '#ffffff', '#c9d0d5', {}), ('210', '#e2efd9', '#70ad47', {})],
            [('Sold by the user', '#ffffff', '#c9d0d5', {'font': 'Verdana'}), ('45', '#ffffff', '#c9d0d5', {'color': '#a9201a'})],
        ]) + '</table:table>',
    paragraph(s, ('Write to user@acme.example or see https://acme.example/factory.', {})),
])

deck('theme', [
    lambda s: [shape(s, WIDE, ('The planes of Acme', {'size': '24pt', 'font': 'Major'}), kind='text'),
               shape(s, LEFT, ('Vermilion', {'color': '#ffffff', 'font': 'Major'}), fill='#cc3a06', line='#2c5a4a')],
    lambda s: [shape(s, LEFT, ('A tint of Chalk Blue', {'font': 'Major'}), fill='#6699cc'),
               shape(s, RIGHT, ('Beech on white', {'color': '#dbb48a', 'font': 'Major'}), fill='#ffffff')],
    lambda s: [shape(s, LEFT, ('Minor', {'font': 'Minor'}), fill='#818d98'), shape(s, RIGHT, fill='#818d98')],
])
deck('theme-right', [
    lambda s: [shape(s, WIDE, ('The planes of Acme', {'size': '24pt', 'font': 'Major'}), kind='text'),
               shape(s, LEFT, ('Chalk Blue', {'color': '#ffffff', 'font': 'Minor'}), fill='#1f5e94', line='#ad7f26'),
               shape(s, LOW, ('Half of it', {'font': 'Minor'}), fill='#dbb48a', opacity='50%')],
])
deck('inherited', [
    lambda s: [shape(s, WIDE, ('The planes of Acme', {'size': '24pt', 'font': 'Minor'}), kind='text'),
               shape(s, LEFT, ('Small text', {'size': '11pt', 'font': 'Minor', 'color': '#ffffff'}), fill='#1f5e94')],
])
letter('inherited', lambda s: [
    paragraph(s, 'The font of this text is the one of the theme.'),
    paragraph(s, ('Small text', {'size': '11pt'})),
])
