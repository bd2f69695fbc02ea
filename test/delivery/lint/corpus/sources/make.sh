#!/bin/sh
# Makes the files of LibreOffice, Inkscape and librsvg again. Needs soffice, inkscape, rsvg-convert, python3, and the
# two files of `housestyle export --to office` in the folder that is given.
set -e
theme=$(cd "$1" && pwd)
cd "$(dirname "$0")"
python3 make-office.py
soffice --headless --convert-to pptx --outdir ../pptx ./*.fodp
soffice --headless --convert-to docx --outdir ../docx ./*.fodt
python3 apply-theme.py ../pptx/theme.pptx "$theme/Theme Colors/"*.xml "$theme/Theme Fonts/"*.xml drift
python3 apply-theme.py ../pptx/theme-right.pptx "$theme/Theme Colors/"*.xml "$theme/Theme Fonts/"*.xml
python3 inherit-fonts.py ../pptx/inherited.pptx
python3 inherit-fonts.py ../docx/inherited.docx
inkscape poster.svg --actions='select-by-id:dot;object-set-property:stroke,#dab38a;select-clear' \
  --export-type=svg --export-filename=../svg/inkscape-poster.svg
inkscape poster.svg --export-plain-svg --export-text-to-path --export-filename=../svg/inkscape-plain.svg
for name in badge poster ramp; do rsvg-convert -f svg -o "../svg/cairo-$name.svg" "$name.svg"; done
