#!/bin/sh
# Makes the files of LibreOffice, Inkscape, librsvg, Ghostscript, reportlab and cairo again. Needs soffice, inkscape,
# rsvg-convert, gs, python3 with reportlab, fontTools, brotli and pycairo, the fonts Carlito, Noto and DejaVu, and the
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

# The PDFs. The fonts are those of examples/acme, for programs that do not read WOFF2.
fonts=$(mktemp -d)
python3 make-pdf.py ../../../../../examples/acme/guidelines/files/fonts "$fonts"
print_pdf() {
  gs -q -dNOSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -dCompatibilityLevel=1.4 -dPDFSETTINGS=/prepress -dEmbedAllFonts=true \
    -sColorConversionStrategy=LeaveColorUnchanged -dAutoRotatePages=/None -dPreserveOverprintSettings=true \
    -sFONTPATH="$fonts" -o "../pdf/$2.pdf" "$1" "$2.ps"
}
for name in flyer-right flyer-wrong leaflet-x3 overprint shapes; do print_pdf intent-x3.ps "$name"; done
print_pdf intent-profile.ps poster-profile
home=$(mktemp -d)
mkdir -p "$home/.fonts"
cp "$fonts"/*.ttf "$home/.fonts"
HOME=$home soffice --headless --convert-to pdf --outdir ../pdf pitch.fodp offer.fodt
inkscape badge.svg --export-type=pdf --export-filename=../pdf/inkscape-badge.pdf
rsvg-convert -f pdf -o ../pdf/rsvg-poster.pdf poster.svg
