import { perObject } from '#platform/base/object.ts'
import { wordSet } from '#platform/base/text.ts'
import { withoutSubset } from '../page.ts'
import { EMPTY, type PdfObjects } from './objects.ts'
import { GRAY, type Paint, paintOf, readSpace, SPACES_BY_SIZE, type Space } from './spaces.ts'
import { operationsIn, type PdfDictionary, type PdfStream, type PdfValue, pairsOf, textOf } from './syntax.ts'

/**
 * Something that content puts on a page. Grounds are opaque areas with straight sides; drawings are shadows, lines and the
 * rest. The name of a font that shows text is its PostScript name without that of a subset, empty for fonts of drawings.
 */
export type Mark =
  | { kind: 'paint'; paint: Paint; role: Role; alpha: number }
  | { kind: 'font'; name: string; isEmbedded: boolean }
  | { kind: 'overprint' | 'transparency' }

type Role = 'text' | 'ground' | 'drawing'

/** What reading the content of a page needs. `spend` is called for each operator and form, and throws if there are too many. */
export type ContentReader = { objects: PdfObjects; mark: (mark: Mark) => void; spend: (steps?: number) => void }

type Color = { space: Space; values: readonly number[]; pattern?: PdfValue }
type Side = 'fill' | 'stroke'

type State = typeof START

/** The parts that inner content gets from outer: the forms that are being read, and the patterns that were read for the page. */
type Outer = { state: State; forms: readonly PdfStream[]; patterns: Set<PdfStream> }
/**
 * The reading of one content stream. `path` has only the box of a path, in its own units, and whether it has curves.
 */
type Run = ContentReader & Outer & { stack: State[]; path: typeof NO_PATH; resources: PdfDictionary }

/** Reads content with its forms and patterns (§7.8). Throws if a part cannot be read; the message ends a sentence. */
export function readContent(reader: ContentReader & Partial<Outer>, text: string, resources: PdfDictionary): void {
  const outer: Outer = { state: START, forms: [], patterns: new Set(), ...reader }
  const run: Run = { ...reader, ...outer, stack: [], path: { ...NO_PATH }, resources }
  for (const { operator, operands } of operationsIn(text)) {
    run.spend()
    OPERATORS.get(operator)?.(run, operands, operator)
  }
}

const BLACK: Color = { space: GRAY, values: [0] }
/** The part of the graphics state that decides what is painted (ISO 32000-2 §8.4). */
const START = {
  color: { fill: BLACK, stroke: BLACK },
  alpha: { fill: 1, stroke: 1 },
  overprints: { fill: false, stroke: false },
  isBlended: false,
  isMasked: false,
  font: EMPTY,
  textMode: 0,
  scale: { x: 1, y: 1 },
}
const NO_PATH = { isCurved: false, left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }

/** Reads a form, or the cells of a pattern. One that contains itself is read only once. */
function runStream(run: Run, stream: PdfStream, state: State): void {
  if (run.forms.includes(stream)) return
  if (run.forms.length > MAX_DEPTH) throw new Error('has too many forms in each other: save it again')
  run.spend(FORM_STEPS)
  const ownResources = run.objects.get(stream.dictionary.get('Resources'))
  const resources = ownResources instanceof Map ? ownResources : run.resources
  const text = run.objects.decode(stream).toString('latin1')
  const scale = scaleOf(state, run.objects.list(stream.dictionary.get('Matrix')))
  readContent({ ...run, state: { ...state, scale }, forms: [...run.forms, stream] }, text, resources)
}

const MAX_DEPTH = 30
/** A form costs as much as this many operators. */
const FORM_STEPS = 50
const MAX_STACK = 10_000

/** The size of units in points, within a matrix. */
function scaleOf({ scale: { x, y } }: State, matrix: readonly PdfValue[]): State['scale'] {
  const [a = 1, b = 0, c = 0, d = 1] = numbersIn(matrix)
  return { x: Math.hypot(a * x, b * y), y: Math.hypot(c * x, d * y) }
}

type Operation = (run: Run, operands: readonly PdfValue[], operator: string) => void

/** The operators that paint, or change the painting (§A.2). Operators with the same effect share a key. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  // Saves the state, and restores the last one that was saved.
  q: ({ stack, state }) => {
    if (stack.length < MAX_STACK) stack.push(state)
  },
  Q: run => change(run, run.stack.pop() ?? {}),
  cm: (run, matrix) => change(run, { scale: scaleOf(run.state, matrix) }),
  gs: setGraphics,
  Tf: (run, [name]) => change(run, { font: run.objects.dictionary(resource(run, 'Font', name)) }),
  Tr: (run, [mode]) => change(run, { textMode: Number(mode) }),
  'g G rg RG k K': (run, values, operator) => {
    setColor(run, operator, { space: SPACES_BY_SIZE[values.length] ?? GRAY, values: numbersIn(values) })
  },
  'cs CS': (run, [name], operator) => {
    const space = readSpace(run.objects, name, run.resources)
    setColor(run, operator, { space, values: space.initial })
  },
  'sc scn SC SCN': (run, values, operator) => {
    const { space } = run.state.color[sideOf(operator)]
    setColor(run, operator, { space, values: numbersIn(values), pattern: values.at(-1) })
  },
  'm l re': extendPath,
  'c v y': (run, operands) => {
    run.path.isCurved = true
    extendPath(run, operands)
  },
  'f F f*': run => paintPath(run, ['fill']),
  's S': run => paintPath(run, ['stroke']),
  'b b* B B*': run => paintPath(run, ['fill', 'stroke']),
  n: run => paintPath(run, []),
  'Tj TJ \' "': showText,
  sh: (run, [name]) => markSpace(run, run.objects.dictionary(resource(run, 'Shading', name)).get('ColorSpace')),
  Do: (run, [name]) => {
    const stream = run.objects.stream(resource(run, 'XObject', name))
    if (stream?.dictionary.get('Subtype') === 'Image') paintImage(run, stream.dictionary)
    else if (stream) runStream(run, stream, run.state)
  },
  ID: (run, operands) => paintImage(run, pairsOf(operands)),
}
const OPERATORS: ReadonlyMap<string, Operation> = new Map(
  Object.entries(OPERATIONS).flatMap(([names, operation]) => names.split(' ').map(name => [name, operation] as const)),
)

function resource({ objects, resources }: Run, kind: string, name: PdfValue): PdfValue {
  return typeof name === 'string' ? objects.dictionary(resources.get(kind)).get(name) : undefined
}

function change(run: Run, changes: Partial<State>): void {
  run.state = { ...run.state, ...changes }
}

function numbersIn(operands: readonly PdfValue[]): number[] {
  return operands.filter(operand => typeof operand === 'number')
}

/** Operators for strokes are in capital letters. */
function sideOf(operator: string): Side {
  return operator === operator.toUpperCase() ? 'stroke' : 'fill'
}

function setColor(run: Run, operator: string, color: Color): void {
  change(run, { color: { ...run.state.color, [sideOf(operator)]: color } })
}

/**
 * Changes the parts of the state that a named dictionary has (§8.4.5). `OP` is also for fills, unless `op` says
 * otherwise.
 */
function setGraphics(run: Run, [name]: readonly PdfValue[]): void {
  const entries = run.objects.dictionary(resource(run, 'ExtGState', name))
  for (const [key, changes] of Object.entries(GRAPHICS)) {
    // An entry that is null is as good as absent.
    const value = run.objects.get(entries.get(key)) ?? undefined
    if (value !== undefined) change(run, changes(value, run))
  }
}

/** The changes by the key of an entry, in this order. */
const GRAPHICS: Readonly<Record<string, (value: PdfValue, run: Run) => Partial<State>>> = {
  ca: (value, { state }) => ({ alpha: { ...state.alpha, fill: Number(value) } }),
  CA: (value, { state }) => ({ alpha: { ...state.alpha, stroke: Number(value) } }),
  OP: value => ({ overprints: { fill: Boolean(value), stroke: Boolean(value) } }),
  op: (value, { state }) => ({ overprints: { ...state.overprints, fill: Boolean(value) } }),
  // A name, or a list of names by preference.
  BM: (value, { objects }) => ({ isBlended: !PLAIN_BLENDS.includes(objects.get([value].flat()[0])) }),
  SMask: value => ({ isMasked: value !== 'None' }),
  Font: (value, { objects }) => ({ font: objects.dictionary(objects.list(value)[0]) }),
}
const PLAIN_BLENDS: readonly PdfValue[] = ['Normal', 'Compatible']

function extendPath({ path }: Run, operands: readonly PdfValue[]): void {
  const [x = 0, y = 0, width = 0, height = 0] = numbersIn(operands)
  path.left = Math.min(path.left, x, x + width)
  path.right = Math.max(path.right, x, x + width)
  path.top = Math.min(path.top, y, y + height)
  path.bottom = Math.max(path.bottom, y, y + height)
}

function paintPath(run: Run, sides: readonly Side[]): void {
  const { isCurved, left, right, top, bottom } = run.path
  const { x, y } = run.state.scale
  run.path = { ...NO_PATH }
  const isArea = !isCurved && Math.min((right - left) * x, (bottom - top) * y) >= MIN_AREA
  for (const side of sides) paint(run, side, isArea && side === 'fill' ? 'ground' : 'drawing')
}

/** Thinner areas are lines and borders. */
const MIN_AREA = 6

/** Marks the font of shown text, and paints its letters. */
function showText(run: Run, operands: readonly PdfValue[]): void {
  const { textMode, font } = run.state
  // The modes from 4 to 7 also clip (§9.3.6).
  const mode = textMode % 4
  if (mode === INVISIBLE || !operands.flat().some(textOf)) return
  run.mark(fontMark(font, run.objects))
  if (mode !== STROKED) paint(run, 'fill', 'text')
  if (mode !== FILLED) paint(run, 'stroke', 'text')
}

/** The modes of text; 2 is filled and stroked. */
const [FILLED, STROKED, INVISIBLE] = [0, 1, 3]

/** The mark of a font (§9.6, §9.7). The letters of a font of type 3 are content of the file. */
const fontMark = perObject((font: PdfDictionary, { get, list, dictionary }: PdfObjects): Mark => {
  // A composite font has its facts in another one.
  const [descendant] = list(font.get('DescendantFonts'))
  const described = descendant === undefined ? font : dictionary(descendant)
  if (get(described.get('Subtype')) === 'Type3') return { kind: 'font', name: '', isEmbedded: true }
  const written = String(get(described.get('BaseFont')) ?? '')
  // `Inter,Bold` is `Inter-Bold`.
  const name = withoutSubset(written).replace(',', '-')
  const descriptor = dictionary(described.get('FontDescriptor'))
  // Only to note that a part of the page is missing, if the file is cut off.
  get(font.get('ToUnicode'))
  const isEmbedded = descriptor.entries().some(([key, file]) => FONT_FILES.has(key) && get(file))
  return { kind: 'font', name, isEmbedded }
})

const FONT_FILES = wordSet('FontFile FontFile2 FontFile3')

function paint(run: Run, side: Side, wanted: Role): void {
  const isClear = markEffects(run, side)
  const role = isClear && wanted === 'ground' ? 'drawing' : wanted
  const { space, values, pattern } = run.state.color[side]
  if (!space.isPattern) run.mark({ kind: 'paint', paint: space.paint(values), role, alpha: run.state.alpha[side] })
  else if (typeof pattern === 'string') paintPattern(run, resource(run, 'Pattern', pattern), space.base?.paint(values))
}

/** Marks overprint and transparency; returns whether the ground below shows through. */
function markEffects({ state, mark }: Run, side: Side): boolean {
  const isClear = state.isBlended || state.isMasked || state.alpha[side] < 1
  if (state.overprints[side]) mark({ kind: 'overprint' })
  if (isClear) mark({ kind: 'transparency' })
  return isClear
}

/**
 * Paints a pattern (§8.7): a blend, or cells, which have their own colours or the one of the caller.
 *
 * @param callerPaint for cells without colours, whose paint type is 2
 */
function paintPattern(run: Run, value: PdfValue, callerPaint: Paint | undefined): void {
  const { objects, patterns, state, mark } = run
  const pattern = objects.dictionary(value)
  const stream = objects.stream(value)
  const isUncolored = objects.get(pattern.get('PaintType')) === 2
  if (isUncolored && callerPaint) mark({ kind: 'paint', paint: callerPaint, role: 'drawing', alpha: state.alpha.fill })
  if (pattern.has('Shading')) markSpace(run, objects.dictionary(pattern.get('Shading')).get('ColorSpace'))
  if (isUncolored || !stream || patterns.has(stream)) return
  patterns.add(stream)
  runStream(run, stream, START)
}

/** The space of a blend or picture: what it has in it, but no single colour. */
function markSpace(run: Run, space: PdfValue): void {
  markEffects(run, 'fill')
  run.mark({ kind: 'paint', paint: paintOf(readSpace(run.objects, space, run.resources)), role: 'drawing', alpha: 1 })
}

/**
 * Paints a picture (§8.9.5), or a stencil in the colour of fills. The keys of an inline image may be short (§8.9.7).
 */
function paintImage(run: Run, image: PdfDictionary): void {
  const entry = (key: string, short = key) => run.objects.get(image.get(key) ?? image.get(short))
  if (entry('SMask')) run.mark({ kind: 'transparency' })
  if (entry('ImageMask', 'IM') === true) paint(run, 'fill', 'drawing')
  else markSpace(run, entry('ColorSpace', 'CS'))
}
