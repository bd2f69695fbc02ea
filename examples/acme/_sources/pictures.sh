#!/bin/bash
# Renders the pictures of the example brand into build/. Needs a C compiler, chromium and imagemagick.
#   ./pictures.sh [WIDTH SAMPLES [SCENE …]]
set -e
cd "$(dirname "$0")"
width=${1:-1920} samples=${2:-32}
shift $(($# < 2 ? $# : 2))
mkdir -p build
[ build/trace -nt trace.c ] && [ build/trace -nt scenes.c ] || cc -O3 -march=native -ffast-math -fopenmp trace.c scenes.c -lm -o build/trace

# One section of prints.html as an image for trace.
print() {
  [ -e "build/$1.ppm" ] && return
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files \
    --window-size="$2" --screenshot="build/$1.png" "file://$PWD/prints.html#$1" 2>/dev/null
  convert "build/$1.png" -depth 8 "build/$1.ppm"
}

# One scene; its height follows from its ratio.
render() {
  build/trace "$1" "$width" $((width * $3 / $2)) "$samples" "build/$1.ppm"
  convert "build/$1.ppm" "build/$1.png"
}

[ $# = 0 ] && set -- plane box chisel edge-before edge-after cartons catalogue sign
for scene; do
  case $scene in
    box) print brand 1320,520 ;;
    cartons) print carton-plane 640,1160; print carton-chisel 425,1250; print carton-stone 480,810; print carton-side 440,1160; print carton-lid 640,380 ;;
    catalogue) print catalogue-left 1050,1485; print catalogue-right 1050,1485 ;;
  esac
  case $scene in
    edge-*) render "$scene" 3 2 ;;
    *) render "$scene" 16 9 ;;
  esac
done
