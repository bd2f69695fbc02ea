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
  /** The width of a picture in its own pixels; 0 for paths. */
  pixels: number
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

/** Closes the page in use. Opens the document again once PDFium has read much of it, which it would keep in memory. */
function closePage(pdfium: Pdfium): void {
  const { api, page, document } = pdfium
  if (page.handle !== 0) api.FPDF_ClosePage(page.handle)
  pdfium.page = { number: 0, handle: 0 }
  if (pdfium.readBytes < MAX_READ) return
  api.FPDF_CloseDocument(document)
  Object.assign(pdfium, { document: pdfium.load(), readBytes: 0 })
}

/** In bytes. */
const MAX_READ = 32 << 20

/** The size of a page as readers see it; 0 by 0 if there is no such page. */
export function pageSize(pdfium: Pdfium, number: number): { width: number; height: number } {
  const page = openPage(pdfium, number)
  return { width: pdfium.api.FPDF_GetPageWidthF(page), height: pdfium.api.FPDF_GetPageHeightF(page) }
}

/** Draws the part of a page in a box on white, at `scale` pixels a point. */
export function drawPage(pdfium: Pdfium, number: number, box: Box, scale: number): Pixels {
  const { api, bytes } = pdfium
  const page = openPage(pdfium, number)
  const toPixels = (points: number) => Math.round(points * scale)
  const width = Math.max(1, toPixels(box.right - box.left))
  const height = Math.max(1, toPixels(box.bottom - box.top))
  if (page === 0 || Number.isNaN(width * height)) throw new Error(`page ${number} cannot be drawn`)
  const bitmap = api.FPDFBitmap_Create(width, height, 0)
  api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  // The whole page is placed so that the box covers the bitmap; the rest is cut off.
  const left = toPixels(-box.left)
  const top = toPixels(-box.top)
  const pageWidth = toPixels(api.FPDF_GetPageWidthF(page))
  const pageHeight = toPixels(api.FPDF_GetPageHeightF(page))
  api.FPDF_RenderPageBitmap(bitmap, page, left, top, pageWidth, pageHeight, 0, AS_RGBA | WITH_ANNOTATIONS)
  // Rows have no padding: each pixel has four bytes.
  const data = new Uint8ClampedArray(bytes(api.FPDFBitmap_GetBuffer(bitmap), width * height * 4))
  api.FPDFBitmap_Destroy(bitmap)
  return { data, width, height }
}

const WHITE = 0xffffffff
/** Flags of FPDF_RenderPageBitmap. */
const AS_RGBA = 0x10
const WITH_ANNOTATIONS = 0x01

/** Converts coordinates of a PDF to points from the top left corner as readers see them; `turn` is in radians. */
type Placement = { point: (x: number, y: number) => [number, number]; turn: number }

/**
 * The placement of a page: cropped, turned, from the top left corner. PDFium converts only single points, so that the
 * matrix is computed from three: the origin and one on each axis.
 */
function placement({ api, scratch }: Pdfium, page: number, width: number, height: number): Placement {
  const { getValue } = api.pdfium
  const seen = (x: number, y: number): [number, number] => {
    api.FPDF_PageToDevice(page, 0, 0, width * FINE, height * FINE, 0, x, y, scratch, scratch + 4)
    return [getValue(scratch, 'i32') / FINE, getValue(scratch + 4, 'i32') / FINE]
  }
  const [originX, originY] = seen(0, 0)
  const [rightX, rightY] = seen(UNIT, 0)
  const [upX, upY] = seen(0, UNIT)
  const [a, b] = [(rightX - originX) / UNIT, (rightY - originY) / UNIT]
  const [c, d] = [(upX - originX) / UNIT, (upY - originY) / UNIT]
  return { point: (x, y) => [originX + a * x + c * y, originY + b * x + d * y], turn: Math.atan2(b, a) }
}

/** PDFium rounds to whole pixels of a device, which has this many in a point here. */
const FINE = 100
/** The distance of the measured points, in points. */
const UNIT = 1000

/** The placement of the objects in a form, which has coordinates of its own. */
function within(pdfium: Pdfium, form: number, { point, turn }: Placement): Placement {
  if (!pdfium.api.FPDFPageObj_GetMatrix(form, pdfium.scratch)) return { point, turn }
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersIn(pdfium, 6)
  return { point: (x, y) => point(a * x + c * y + e, b * x + d * y + f), turn }
}

/** The box of a rectangle of the PDF as readers see it. A turn exchanges its corners. */
function boxOf({ point }: Placement, left: number, bottom: number, right: number, top: number): Box {
  const corners = [point(left, bottom), point(right, top), point(left, top), point(right, bottom)]
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
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
    // The hyphen of a word that is divided at the end of a line, for which PDFium has its own code.
    const isHyphen = api.FPDFText_IsHyphen(text, at) === 1
    // The second half of a letter that takes two UTF-16 units.
    const low = code >= 0xd800 && code < 0xdc00 ? [api.FPDFText_GetUnicode(text, at + 1)] : []
    letters.push({ ...box, ...style, text: isHyphen ? '-' : String.fromCodePoint(code, ...low), base })
    at += low.length
  }
  return letters
}

/** The name of a font without that of a subset: `Inter-Bold` of `ABCDEF+Inter-Bold`. */
export function withoutSubset(name: string): string {
  return name.replace(/^[A-Z]{6}\+/, '')
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
  const font = length === 0 ? '' : withoutSubset(api.pdfium.UTF8ToString(scratch))
  const weight = api.FPDFText_GetFontWeight(text, at)
  api.FPDFText_GetFillColor(text, at, scratch, scratch + 4, scratch + 8, scratch + 12)
  const angle = turn - Math.atan2(b, a) + (fontSize < 0 ? Math.PI : 0)
  return { font, weight, size, color: colorIn(pdfium), angle }
}

const MAX_NAME = 200

/** The colour that a call wrote to `scratch`. */
function colorIn(pdfium: Pdfium): string {
  const [red = 0, green = 0, blue = 0] = numbersIn(pdfium, 3, 'i32').map(channel => channel & 0xff)
  return hexText([red, green, blue])
}

/** The types of objects in PDFium; 4 is a gradient. */
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
  const type = api.FPDFPageObj_GetType(object)
  if (type === TEXT) return []
  api.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersIn(pdfium, 4)
  const box = { ...boxOf(place, left, bottom, right, top), isPlain: false, pixels: 0 }
  if (type === PICTURE) return [{ ...box, kind: 'picture', ...pictureOf(pdfium, object, at) }]
  if (type === PATH) return [{ ...box, kind: 'path', ...pathOf(pdfium, object) }]
  return [{ ...box, kind: 'path' }]
}

/** The first numbers that a call wrote to `scratch`. */
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

/** Whether a path, and each path that it is clipped to, is a rectangle, which may be round or only a frame. */
function isPlainPath(pdfium: Pdfium, path: number): boolean {
  const { api, scratch } = pdfium
  const clip = api.FPDFPageObj_GetClipPath(path)
  const isRectangle = (count: number, segmentAt: (at: number) => number) =>
    count <= MAX_SEGMENTS &&
    followsBox(
      Array.from({ length: count }, (_, at) => {
        api.FPDFPathSegment_GetPoint(segmentAt(at), scratch, scratch + 4)
        const [x = 0, y = 0] = numbersIn(pdfium, 2)
        return { x, y, isLine: api.FPDFPathSegment_GetType(segmentAt(at)) === LINE }
      }),
    )
  for (let of = 0; of < api.FPDFClipPath_CountPaths(clip); of++)
    if (!isRectangle(api.FPDFClipPath_CountPathSegments(clip, of), at => api.FPDFClipPath_GetPathSegment(clip, of, at)))
      return false
  return isRectangle(api.FPDFPath_CountSegments(path), at => api.FPDFPath_GetPathSegment(path, at))
}

/** Whether all points of a path, and the middles of its lines, lie near the edges of their box. */
function followsBox(points: readonly { x: number; y: number; isLine: boolean }[]): boolean {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const maxDistance = MAX_ROUNDING * Math.min(right - left, top - bottom)
  const isNearEdge = (x: number, y: number) => Math.min(x - left, right - x, y - bottom, top - y) <= maxDistance
  return points.every(({ x, y, isLine }, at) => {
    const lineStart = (isLine && points[at - 1]) || { x, y }
    return isNearEdge(x, y) && isNearEdge((x + lineStart.x) / 2, (y + lineStart.y) / 2)
  })
}

/** The type of a segment that is a line. */
const LINE = 0
const MAX_SEGMENTS = 200
/** The distance of a circle from the corner of its box, along an edge: 1/2 - √2/4, and a little. */
const MAX_ROUNDING = 0.16

/** The colour spaces of PDFium's image metadata that are grey or RGB: DeviceGray, DeviceRGB, CalGray and CalRGB. */
const GRAY_OR_RGB = [1, 2, 4, 5]
/** A colour space with a profile, which may be one for CMYK, too. */
const ICC_BASED = 7

function pictureOf(pdfium: Pdfium, object: number, at: number): Partial<Pick<Shape, 'jpeg' | 'pixels'>> {
  const { api, scratch, page } = pdfium
  if (!api.FPDFImageObj_GetImageMetadata(object, page.handle, scratch)) return {}
  // FPDF_IMAGEOBJ_METADATA: width and height in pixels, two resolutions, bits of a pixel, and colour space.
  const [pixels = 0, , , , bits = 0, space = 0] = numbersIn(pdfium, 6, 'i32')
  const isGrayOrRgb = GRAY_OR_RGB.includes(space) || (space === ICC_BASED && (bits === 8 || bits === 24))
  const filters = api.FPDFImageObj_GetImageFilterCount(object)
  api.FPDFImageObj_GetImageFilter(object, filters - 1, scratch, MAX_NAME)
  const isJpeg = api.pdfium.UTF8ToString(scratch) === 'DCTDecode'
  const length = api.FPDFImageObj_GetImageDataRaw(object, 0, 0)
  const isUsable = isJpeg && isGrayOrRgb && !api.FPDFPageObj_HasTransparency(object) && length <= MAX_PICTURE
  return { pixels, jpeg: isUsable ? at : undefined }
}

/** In bytes. */
const MAX_PICTURE = 64 << 20

/**
 * The bytes of a JPEG as it is stored, without other filters, by its number among the objects of its page; undefined if a
 * mask hides a part of it, which only its drawing shows.
 */
export function storedPicture(pdfium: Pdfium, number: number, at: number): Uint8Array | undefined {
  const page = openPage(pdfium, number)
  const { api, bytes } = pdfium
  // Only the object is used, not its place.
  const unchanged: Placement = { point: (x, y) => [x, y], turn: 0 }
  const { object = 0 } = objectsOn(pdfium, page, unchanged).drop(at).next().value ?? {}
  if (isMasked(pdfium, page, object)) return undefined
  const length = api.FPDFImageObj_GetImageDataDecoded(object, 0, 0)
  const memory = api.pdfium.wasmExports.malloc(length)
  api.FPDFImageObj_GetImageDataDecoded(object, memory, length)
  const picture = bytes(memory, length).slice()
  api.pdfium.wasmExports.free(memory)
  return picture
}

/**
 * Whether the drawing of a picture is transparent at more pixels than at its edges, which may be only partly covered.
 */
function isMasked({ api, document, bytes }: Pdfium, page: number, object: number): boolean {
  const bitmap = api.FPDFImageObj_GetRenderedBitmap(document, page, object)
  const [width, height] = [api.FPDFBitmap_GetWidth(bitmap), api.FPDFBitmap_GetHeight(bitmap)]
  const pixels = bytes(api.FPDFBitmap_GetBuffer(bitmap), width * height * 4)
  let transparent = 0
  for (let alphaAt = 3; alphaAt < pixels.length; alphaAt += 4) if (pixels[alphaAt] !== 255) transparent++
  api.FPDFBitmap_Destroy(bitmap)
  return transparent > 2 * (width + height)
}
