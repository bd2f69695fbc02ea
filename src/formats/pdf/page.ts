import { hexText } from '../css/hex.ts'
import type { Pixels } from '../picture/shrink.ts'
import type { Box, Pdfium } from './document.ts'

/** A letter where it stands; `size` in points, `angle` in radians, and the baseline measured from the top. */
export type Letter = Box & Style & { text: string; base: number; angle: number }

/** How letters look: the name of their font, their weight from 100 to 900 or 0 if unknown, and their colour as `#rrggbb`. */
export type Style = { font: string; weight: number; size: number; color: string }

/** A drawing or picture on a page. */
export type Shape = Box & {
  kind: 'path' | 'picture'
  /** The colour of its inside as `#rrggbb`; undefined for lines, gradients and pictures. */
  fill?: string | undefined
  /** Whether it is a rectangle, which may be round or only its frame. */
  isPlain: boolean
  /** The number of a picture that is stored as a JPEG in grey or RGB, among the objects of its page. */
  jpeg?: number | undefined
  /** The width of a picture in its own pixels. */
  pixels?: number
}

export type PdfPage = { number: number; width: number; height: number; letters: Letter[]; shapes: Shape[] }

/** Reads a page, counted from 1; it is empty, without a size, if there is none. */
export function readPage(pdfium: Pdfium, number: number): PdfPage {
  const page = openPage(pdfium, number)
  const { width, height } = pageSize(pdfium, number)
  const toTop = placement(pdfium, page, width, height)
  const text = pdfium.api.FPDFText_LoadPage(page)
  const letters = lettersOf(pdfium, text, toTop)
  pdfium.api.FPDFText_ClosePage(text)
  const objects = objectsOn(pdfium, page, toTop).take(MAX_OBJECTS)
  const shapes = [...objects.flatMap(({ object, place }, at) => shapeOf(pdfium, object, place, at))]
  const isShown = ({ left, top, right, bottom }: Box) => right > 0 && bottom > 0 && left < width && top < height
  return { number, width, height, letters: letters.filter(isShown), shapes: shapes.filter(isShown) }
}

/** The text of a page in lines. U+FFFE is the hyphen of a word that continues in the next line. */
export function readText(pdfium: Pdfium, number: number): string {
  const { api } = pdfium
  const text = api.FPDFText_LoadPage(openPage(pdfium, number))
  const count = Math.max(0, api.FPDFText_CountChars(text))
  const memory = api.pdfium.wasmExports.malloc(2 * count + 2)
  api.FPDFText_GetText(text, 0, count, memory)
  const read = api.pdfium.UTF16ToString(memory, 2 * count)
  api.pdfium.wasmExports.free(memory)
  api.FPDFText_ClosePage(text)
  return read
}

/** The quarters of a turn, clockwise, from 0 to 3; undefined for slanted text. */
export function quarterOf(angle: number): number | undefined {
  const quarters = Math.round(angle / (Math.PI / 2))
  return Math.abs(angle - quarters * (Math.PI / 2)) < 0.1 ? (quarters + 4) % 4 : undefined
}

/** The handle of a page, which stays open until another one is: drawings of one page need it parsed once; 0 if there is none. */
function openPage(pdfium: Pdfium, number: number): number {
  if (pdfium.page.number === number) return pdfium.page.handle
  closePage(pdfium)
  pdfium.page = { number, handle: pdfium.api.FPDF_LoadPage(pdfium.document, number - 1) }
  return pdfium.page.handle
}

/** Closes the page in use, and forgets what PDFium keeps of the document once it has read much of it. */
function closePage(pdfium: Pdfium): void {
  const { api, page, document } = pdfium
  if (page.handle !== 0) api.FPDF_ClosePage(page.handle)
  pdfium.page = { number: 0, handle: 0 }
  if (pdfium.readBytes < MAX_READ) return
  api.FPDF_CloseDocument(document)
  Object.assign(pdfium, { document: pdfium.load(), readBytes: 0 })
}

const MAX_READ = 32 << 20

/** The size of a page as readers see it; without a size if there is none. */
export function pageSize(pdfium: Pdfium, number: number): { width: number; height: number } {
  const page = openPage(pdfium, number)
  return { width: pdfium.api.FPDF_GetPageWidthF(page), height: pdfium.api.FPDF_GetPageHeightF(page) }
}

/** Draws a part of a page on white. */
export function drawPage(pdfium: Pdfium, number: number, box: Box, scale: number): Pixels {
  const { api, bytes } = pdfium
  const page = openPage(pdfium, number)
  const [width, height] = [box.right - box.left, box.bottom - box.top].map(side =>
    Math.max(1, Math.round(side * scale)),
  )
  if (page === 0 || !width || !height) throw new Error(`page ${number} cannot be drawn`)
  const bitmap = api.FPDFBitmap_Create(width, height, 0)
  api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  const place = [-box.left, -box.top, api.FPDF_GetPageWidthF(page), api.FPDF_GetPageHeightF(page)]
  const [x = 0, y = 0, wide = 0, high = 0] = place.map(each => Math.round(each * scale))
  api.FPDF_RenderPageBitmap(bitmap, page, x, y, wide, high, 0, AS_RGBA | WITH_ANNOTATIONS)
  // Without padding: each pixel has four bytes.
  const data = new Uint8ClampedArray(bytes(api.FPDFBitmap_GetBuffer(bitmap), width * height * 4))
  api.FPDFBitmap_Destroy(bitmap)
  return { data, width, height }
}

const WHITE = 0xffffffff
/** Flags of FPDF_RenderPageBitmap. */
const AS_RGBA = 0x10
const WITH_ANNOTATIONS = 0x01

type Placement = { point: (x: number, y: number) => [number, number]; turn: number }

/** Turns points of the page into those that readers see: cropped, turned, from the top left corner. */
function placement({ api, scratch }: Pdfium, page: number, width: number, height: number): Placement {
  const { getValue } = api.pdfium
  const at = (x: number, y: number): [number, number] => {
    api.FPDF_PageToDevice(page, 0, 0, width * FINE, height * FINE, 0, x, y, scratch, scratch + 4)
    return [getValue(scratch, 'i32') / FINE, getValue(scratch + 4, 'i32') / FINE]
  }
  const [[x0, y0], [x1, y1], [x2, y2]] = [at(0, 0), at(UNIT, 0), at(0, UNIT)]
  const [a, b, c, d] = [(x1 - x0) / UNIT, (y1 - y0) / UNIT, (x2 - x0) / UNIT, (y2 - y0) / UNIT]
  return { point: (x, y) => [x0 + a * x + c * y, y0 + b * x + d * y], turn: Math.atan2(b, a) }
}

/** Devices have whole pixels. */
const FINE = 100
const UNIT = 1000

/** The placement of the objects in a form, which has coordinates of its own. */
function within(pdfium: Pdfium, form: number, { point, turn }: Placement): Placement {
  if (!pdfium.api.FPDFPageObj_GetMatrix(form, pdfium.scratch)) return { point, turn }
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersIn(pdfium, 6)
  return { point: (x, y) => point(a * x + c * y + e, b * x + d * y + f), turn }
}

function boxOf({ point }: Placement, left: number, bottom: number, right: number, top: number): Box {
  const [[x0, y0], [x1, y1]] = [point(left, bottom), point(right, top)]
  const [[x2, y2], [x3, y3]] = [point(left, top), point(right, bottom)]
  const [top0, bottom0] = [Math.min(y0, y1, y2, y3), Math.max(y0, y1, y2, y3)]
  return { left: Math.min(x0, x1, x2, x3), top: top0, right: Math.max(x0, x1, x2, x3), bottom: bottom0 }
}

function lettersOf(pdfium: Pdfium, text: number, toTop: Placement): Letter[] {
  const { api, scratch } = pdfium
  const { getValue } = api.pdfium
  const styles = new Map<number, Style & { angle: number }>()
  const letters: Letter[] = []
  const count = api.FPDFText_CountChars(text)
  for (let at = 0; at < count; at++) {
    const code = api.FPDFText_GetUnicode(text, at)
    // Spaces and line ends that are not in the document are added by PDFium.
    if (code === 0 || api.FPDFText_IsGenerated(text, at) === 1) continue
    const object = api.FPDFText_GetTextObject(text, at)
    const style = styles.get(object) ?? styleOf(pdfium, text, at, toTop)
    styles.set(object, style)
    api.FPDFText_GetLooseCharBox(text, at, scratch)
    const [left = 0, top = 0, right = 0, bottom = 0] = numbersIn(pdfium, 4)
    const box = boxOf(toTop, left, bottom, right, top)
    api.FPDFText_GetCharOrigin(text, at, scratch, scratch + 8)
    const [, base] = toTop.point(getValue(scratch, 'double'), getValue(scratch + 8, 'double'))
    // Of a word that is divided at the end of a line.
    const isHyphen = api.FPDFText_IsHyphen(text, at) === 1
    const low = code >= 0xd800 && code < 0xdc00 ? [api.FPDFText_GetUnicode(text, ++at)] : []
    letters.push({ ...box, ...style, text: isHyphen ? '-' : String.fromCodePoint(code, ...low), base })
  }
  return letters
}

/** The style of the text object with a letter: all of its letters share it. */
function styleOf(pdfium: Pdfium, text: number, at: number, { turn }: Placement): Style & { angle: number } {
  const { api, scratch } = pdfium
  api.FPDFText_GetMatrix(text, at, scratch)
  const [a = 1, b = 0, c = 0, d = 1] = numbersIn(pdfium, 4)
  // A negative size turns letters by 180°.
  const fontSize = api.FPDFText_GetFontSize(text, at)
  const size = Math.abs(fontSize) * Math.hypot(c, d)
  const length = api.FPDFText_GetFontInfo(text, at, scratch, MAX_NAME, 0)
  const font = length === 0 ? '' : api.pdfium.UTF8ToString(scratch).replace(/^[A-Z]{6}\+/, '')
  const weight = api.FPDFText_GetFontWeight(text, at)
  api.FPDFText_GetFillColor(text, at, scratch, scratch + 4, scratch + 8, scratch + 12)
  const angle = turn - Math.atan2(b, a) + (fontSize < 0 ? Math.PI : 0)
  return { font, weight, size, color: colorIn(pdfium), angle }
}

const MAX_NAME = 200

function colorIn(pdfium: Pdfium): string {
  const [red = 0, green = 0, blue = 0] = numbersIn(pdfium, 3, 'i32').map(channel => channel & 0xff)
  return hexText([red, green, blue])
}

const [TEXT, PATH, PICTURE, FORM] = [1, 2, 3, 5]
const MAX_DEPTH = 12
const MAX_OBJECTS = 20_000

/** The objects of a page, or of a form at a depth, and those in its forms, from back to front. */
function* objectsOn(pdfium: Pdfium, page: number, place: Placement, depth = 0): Generator<PageObject, undefined> {
  const { api } = pdfium
  const count = depth === 0 ? api.FPDFPage_CountObjects(page) : api.FPDFFormObj_CountObjects(page)
  for (let at = 0; at < count; at++) {
    const object = depth === 0 ? api.FPDFPage_GetObject(page, at) : api.FPDFFormObj_GetObject(page, at)
    if (api.FPDFPageObj_GetType(object) !== FORM) yield { object, place }
    else if (depth < MAX_DEPTH) yield* objectsOn(pdfium, object, within(pdfium, object, place), depth + 1)
  }
}

type PageObject = { object: number; place: Placement }

/** The shape of an object, by its number on the page; none for text. A gradient is a path without a fill, in the box of its clip. */
function shapeOf(pdfium: Pdfium, object: number, place: Placement, at: number): Shape[] {
  const { api, scratch } = pdfium
  const kind = api.FPDFPageObj_GetType(object)
  if (kind === TEXT) return []
  api.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersIn(pdfium, 4)
  const box = { ...boxOf(place, left, bottom, right, top), isPlain: false }
  if (kind === PICTURE) return [{ ...box, kind: 'picture', ...pictureOf(pdfium, object, at) }]
  return [{ ...box, kind: 'path', ...(kind === PATH && pathOf(pdfium, object)) }]
}

/** The first results of a call. */
function numbersIn({ api, scratch }: Pdfium, count: number, type: 'float' | 'i32' = 'float'): number[] {
  const numbers: number[] = []
  for (let at = 0; at < count; at++) numbers.push(api.pdfium.getValue(scratch + 4 * at, type))
  return numbers
}

function pathOf(pdfium: Pdfium, object: number): Pick<Shape, 'fill' | 'isPlain'> {
  const { api, scratch } = pdfium
  api.FPDFPath_GetDrawMode(object, scratch, scratch + 4)
  const [mode] = numbersIn(pdfium, 1, 'i32')
  api.FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12)
  const [, , , alpha = 0] = numbersIn(pdfium, 4, 'i32')
  return { fill: mode !== 0 && alpha > 0 ? colorIn(pdfium) : undefined, isPlain: isPlainPath(pdfium, object) }
}

/** Whether a path is plain, and what it is clipped to. */
function isPlainPath(pdfium: Pdfium, path: number): boolean {
  const { api, scratch } = pdfium
  const clip = api.FPDFPageObj_GetClipPath(path)
  const isPlainIn = (count: number, segmentAt: (at: number) => number) =>
    count <= MAX_SEGMENTS &&
    isPlain(
      Array.from({ length: count }, (_, at) => {
        api.FPDFPathSegment_GetPoint(segmentAt(at), scratch, scratch + 4)
        const [x = 0, y = 0] = numbersIn(pdfium, 2)
        return { x, y, isLine: api.FPDFPathSegment_GetType(segmentAt(at)) === LINE }
      }),
    )
  for (let of = 0; of < api.FPDFClipPath_CountPaths(clip); of++)
    if (!isPlainIn(api.FPDFClipPath_CountPathSegments(clip, of), at => api.FPDFClipPath_GetPathSegment(clip, of, at)))
      return false
  return isPlainIn(api.FPDFPath_CountSegments(path), at => api.FPDFPath_GetPathSegment(path, at))
}

/** Whether all points of a path, and the middles of its lines, lie near the edges of their box. */
function isPlain(points: readonly { x: number; y: number; isLine: boolean }[]): boolean {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const near = MAX_ROUNDING * Math.min(right - left, top - bottom)
  return points.every(({ x, y, isLine }, at) => {
    const last = (isLine && points[at - 1]) || { x, y }
    const isNear = (x: number, y: number) => Math.min(x - left, right - x, y - bottom, top - y) <= near
    return isNear(x, y) && isNear((x + last.x) / 2, (y + last.y) / 2)
  })
}

const LINE = 0
const MAX_SEGMENTS = 200
/** The distance of a circle from the corner of its box, along an edge: 1/2 - √2/4, and a little. */
const MAX_ROUNDING = 0.16

/** The colour spaces of PDFium's image metadata that are grey or RGB, and those with a profile. */
const [PLAIN, ICC] = [[1, 2, 4, 5], 7]

function pictureOf(pdfium: Pdfium, object: number, at: number): Pick<Shape, 'jpeg' | 'pixels'> {
  const { api, scratch, page } = pdfium
  if (!api.FPDFImageObj_GetImageMetadata(object, page.handle, scratch)) return {}
  const [pixels = 0, , , , bits = 0, space = 0] = numbersIn(pdfium, 6, 'i32')
  const isPlain = PLAIN.includes(space) || (space === ICC && (bits === 8 || bits === 24))
  const filters = api.FPDFImageObj_GetImageFilterCount(object)
  api.FPDFImageObj_GetImageFilter(object, filters - 1, scratch, MAX_NAME)
  const isJpeg = api.pdfium.UTF8ToString(scratch) === 'DCTDecode'
  const length = api.FPDFImageObj_GetImageDataRaw(object, 0, 0)
  const isStored = isJpeg && isPlain && !api.FPDFPageObj_HasTransparency(object) && length <= MAX_PICTURE
  return { pixels, jpeg: isStored ? at : undefined }
}

const MAX_PICTURE = 64 << 20

/**
 * The bytes of a JPEG as it is stored, without other filters, by its number among the objects of its page; undefined if a
 * mask hides a part of it, which only its drawing shows.
 */
export function storedPicture(pdfium: Pdfium, number: number, at: number): Uint8Array | undefined {
  const page = openPage(pdfium, number)
  const { api, document, bytes } = pdfium
  const nowhere: Placement = { point: (x, y) => [x, y], turn: 0 }
  const { object = 0 } = objectsOn(pdfium, page, nowhere).drop(at).next().value ?? {}
  const bitmap = api.FPDFImageObj_GetRenderedBitmap(document, page, object)
  const [width, height] = [api.FPDFBitmap_GetWidth(bitmap), api.FPDFBitmap_GetHeight(bitmap)]
  const pixels = bytes(api.FPDFBitmap_GetBuffer(bitmap), width * height * 4)
  let hidden = 0
  for (let index = 3; index < pixels.length; index += 4) if (pixels[index] !== 255) hidden++
  api.FPDFBitmap_Destroy(bitmap)
  // Pixels at its edges are only partly covered.
  if (hidden > 2 * (width + height)) return undefined
  const length = api.FPDFImageObj_GetImageDataDecoded(object, 0, 0)
  const memory = api.pdfium.wasmExports.malloc(length)
  api.FPDFImageObj_GetImageDataDecoded(object, memory, length)
  const picture = bytes(memory, length).slice()
  api.pdfium.wasmExports.free(memory)
  return picture
}
