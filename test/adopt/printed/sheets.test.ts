import { sheetsOf } from '#adopt/printed/sheets.ts'
import { golden } from '#test/support/golden.ts'

type Box = readonly [left: number, top: number, right: number, bottom: number]
type Given = { height: number; boards: readonly Box[]; letters: readonly [text: string, left: number, base: number][] }

golden('adopt/printed/sheets', ({ height, boards, letters }: Given) => {
  const style = { font: 'Helvetica', weight: 400, size: 20, color: '#000000', angle: 0 }
  const sheets = sheetsOf({
    number: 7,
    width: 600,
    height,
    letters: letters.map(([text, left, base]) => ({
      ...style,
      text,
      left,
      right: left + 10,
      top: base - 20,
      bottom: base + 5,
      base,
    })),
    shapes: boards.map(([left, top, right, bottom]) => ({
      kind: 'path',
      fill: '#eeeeee',
      isPlain: true,
      pixels: 0,
      left,
      top,
      right,
      bottom,
    })),
  })
  return sheets.map(({ letters: own, shapes, ...sheet }) => ({
    ...sheet,
    letters: own.map(({ text, left, base }) => [text, left, base]),
    shapes: shapes.length,
  }))
})
