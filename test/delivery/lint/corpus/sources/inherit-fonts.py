"""Lets the text of a deck or letter of LibreOffice inherit its font from the theme, as in files of Microsoft Office.

inherit-fonts.py <file>: the theme's font for text is Calibri.
"""
import re
import sys
from zipfile import ZIP_DEFLATED, ZipFile

STYLES = ('<p:txStyles>' + ''.join(
    f'<p:{name}><a:lvl1pPr><a:defRPr sz="1800"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill>'
    f'<a:latin typeface="{font}"/></a:defRPr></a:lvl1pPr></p:{name}>'
    for name, font in [('titleStyle', '+mj-lt'), ('bodyStyle', '+mn-lt'), ('otherStyle', '+mn-lt')]) + '</p:txStyles>')
THEME = ('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
         '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office"><a:themeElements>'
         '<a:fontScheme name="Office"><a:majorFont><a:latin typeface="Calibri Light"/></a:majorFont>'
         '<a:minorFont><a:latin typeface="Calibri"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>')
RELATION = ('<Relationship Id="rIdTheme" Target="theme/theme1.xml" '
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme"/>')
TYPE = ('<Override PartName="/word/theme/theme1.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/>')


def changed(name, text):
    if name.startswith('ppt/slides/slide'):
        return text.replace('<a:latin typeface="Minor"/>', '')
    if name.startswith('ppt/slideMasters/slideMaster'):
        return text.replace('</p:sldMaster>', STYLES + '</p:sldMaster>')
    if name.startswith('ppt/theme/'):
        return re.sub(r'(<a:minorFont>\s*<a:latin typeface=)"[^"]*"', r'\1"Calibri"', text)
    if name == 'word/document.xml':
        return re.sub(r'<w:rFonts [^>]*/>', '', text)
    if name == 'word/styles.xml':
        first, *rest = re.split(r'<w:rFonts [^>]*/>', text)
        return first + '<w:rFonts w:asciiTheme="minorHAnsi" w:hAnsiTheme="minorHAnsi"/>' + ''.join(rest)
    if name == 'word/_rels/document.xml.rels' and '/theme"' not in text:
        return text.replace('</Relationships>', RELATION + '</Relationships>')
    if name == '[Content_Types].xml' and '/word/document.xml' in text and 'theme1.xml' not in text:
        return text.replace('</Types>', TYPE + '</Types>')
    return text


path = sys.argv[1]
with ZipFile(path) as old:
    parts = [(name, old.read(name)) for name in old.namelist()]
with ZipFile(path, 'w', ZIP_DEFLATED) as new:
    for name, data in parts:
        new.writestr(name, changed(name, data.decode()) if name.endswith(('.xml', '.rels')) else data)
    if path.endswith('.docx') and 'word/theme/theme1.xml' not in dict(parts):
        new.writestr('word/theme/theme1.xml', THEME)
