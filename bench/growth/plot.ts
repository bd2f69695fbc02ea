/** A line of a plot; x grows from point to point. */
export type Line = { name: string; points: readonly (readonly [x: number, y: number])[] }

const [WIDTH, HEIGHT] = [720, 360]
const PLANE = { left: 64, right: WIDTH - 24, top: 96, bottom: HEIGHT - 48 }
const DASHES = ['none', '8 4', '2 4']

/** Draws lines as SVG, x in powers of ten and y from 0. It follows the scheme of whoever looks: light or dark. */
export function plot(title: string, unit: string, lines: readonly Line[]): string {
  const points = lines.flatMap(line => line.points)
  const decades = Math.max(...points.map(([x]) => Math.log10(x)))
  const step = stepFor(Math.max(...points.map(([, y]) => y)))
  const top = step * Math.ceil(Math.max(...points.map(([, y]) => y)) / step)
  const left = (x: number) => Math.round(PLANE.left + ((PLANE.right - PLANE.left) * Math.log10(x)) / decades)
  const height = (y: number) => Math.round(PLANE.bottom - ((PLANE.bottom - PLANE.top) * y) / top)
  const xs = Array.from({ length: Math.round(decades) + 1 }, (_, power) => 10 ** power)
  const ys = Array.from({ length: Math.round(top / step) + 1 }, (_, at) => at * step)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<style>
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .grid { stroke: #d0d7de } .line { stroke: #0550ae; fill: none; stroke-width: 2 } .dot { fill: #0550ae }
  rect { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .grid { stroke: #3d444d } .line { stroke: #79c0ff } .dot { fill: #79c0ff } rect { fill: #0d1117 }
  }
</style>
<rect width="${WIDTH}" height="${HEIGHT}"/>
<text x="16" y="24">${title}, in ${unit}</text>
${ys.map(y => `<path class="grid" d="M${PLANE.left} ${height(y)}H${PLANE.right}"/><text x="${PLANE.left - 8}" y="${height(y) + 4}" text-anchor="end">${y}</text>`).join('\n')}
${xs.map(x => `<text x="${left(x)}" y="${PLANE.bottom + 24}" text-anchor="middle">${x.toLocaleString('en')}</text>`).join('\n')}
${lines.map((line, at) => drawn(line, { at, left, height })).join('\n')}
</svg>
`
}

type Drawing = { at: number; left: (x: number) => number; height: (y: number) => number }

function drawn({ name, points }: Line, { at, left, height }: Drawing): string {
  const path = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${left(x)} ${height(y)}`).join('')
  const dashes = `stroke-dasharray="${DASHES[at % DASHES.length]}"`
  const y = 44 + 16 * at
  return [
    `<path class="line" ${dashes} d="${path}"/>`,
    ...points.map(([x, value]) => `<circle class="dot" cx="${left(x)}" cy="${height(value)}" r="3"/>`),
    `<path class="line" ${dashes} d="M16 ${y - 4}h32"/><text x="56" y="${y}">${name}</text>`,
  ].join('')
}

/** A step of the grid: 1, 2 or 5 times a power of ten, so that some five of them make the plane. */
function stepFor(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 5))
  return power * ([1, 2, 5].find(factor => factor * power * 5 >= most) ?? 10)
}
