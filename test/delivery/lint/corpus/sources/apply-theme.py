"""Puts the theme of `housestyle export --to office` into a deck of LibreOffice, and lets its shapes use it.

apply-theme.py <deck> <theme colours> <theme fonts> [drift]: with drift, the theme itself has other values.
"""
import re
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

deck, colors, fonts = map(Path, sys.argv[1:4])
drift = len(sys.argv) > 4
SLOTS = {'14212b': 'tx1', 'ffffff': 'bg1', 'cc3a06': 'accent1', '1f5e94': 'accent2', '2c5a4a': 'accent3',
         'ad7f26': 'accent4', 'dbb48a': 'accent5', '818d98': 'accent6'}


def scheme(path):
    text = re.sub(r'<\?xml.*?\?>\s*', '', path.read_text()).replace(
        ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"', '')
    if drift:
        text = text.replace('818D98', '808C97').replace('<a:hlink><a:srgbClr val="1F5E94"/>', '<a:hlink><a:srgbClr val="00FFFF"/>')
        text = re.sub(r'(<a:minorFont><a:latin typeface=)"[^"]*"', r'\1"Georgia"', text)
    return text


def slide(text):
    tint = '<a:schemeClr val="accent2"><a:lumMod val="60000"/><a:lumOff val="40000"/></a:schemeClr>'
    text = re.sub(r'<a:srgbClr val="6699cc"\s*(/>|></a:srgbClr>)', tint, text)
    for color, slot in SLOTS.items():
        text = re.sub(rf'<a:srgbClr val="{color}"/>', f'<a:schemeClr val="{slot}"/>', text)
        text = re.sub(rf'<a:srgbClr val="{color}">(.*?)</a:srgbClr>', rf'<a:schemeClr val="{slot}">\1</a:schemeClr>', text)
    return text.replace('typeface="Major"', 'typeface="+mj-lt"').replace('typeface="Minor"', 'typeface="+mn-lt"')


with ZipFile(deck) as old:
    parts = [(name, old.read(name)) for name in old.namelist()]
with ZipFile(deck, 'w', ZIP_DEFLATED) as new:
    for name, data in parts:
        if re.fullmatch(r'ppt/theme/theme\d+\.xml', name):
            text = re.sub(r'<a:clrScheme.*?</a:clrScheme>', scheme(colors), data.decode(), flags=re.S)
            data = re.sub(r'<a:fontScheme.*?</a:fontScheme>', scheme(fonts), text, flags=re.S).encode()
        elif re.fullmatch(r'ppt/slides/slide\d+\.xml', name):
            data = slide(data.decode()).encode()
        new.writestr(name, data)
