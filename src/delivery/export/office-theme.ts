import { OFFICE_COLORS, OFFICE_FONTS, type OfficeTheme } from '#brand/appearance.ts'
import type { Color } from '#brand/color.ts'
import { safeName } from '#brand/portable-paths.ts'
import { failed, ok } from '#platform/base/result.ts'
import { guideName } from '#serving/publications/publications.ts'
import { type MakeExport, textFile } from './format.ts'

/** Themes in the folders and the format of Office: DrawingML, ECMA-376 part 1, §20.1.6.2 and §20.1.4.1.18. */
export const officeTheme: MakeExport = async source => {
  const { colors, appearance } = source.publication.content
  const { office } = await appearance()
  if (!office) return failed(NO_MAP)
  const name = guideName(source)
  const parts = [
    { folder: 'Theme Colors', xml: colorScheme(name, office, await colors()) },
    { folder: 'Theme Fonts', xml: fontScheme(name, office) },
  ]
  // A part is only made if the project sets all of its slots.
  const { set = [], unset = [] } = Object.groupBy(parts, ({ xml }) => (xml === '' ? 'unset' : 'set'))
  const files = set.map(({ folder, xml }) => textFile(`${folder}/${fileName(name)}.xml`, [xml]))
  const leftOut = unset.map(({ folder }) => `${folder}: office in project.yaml does not set them`)
  return files.length === 0 ? failed(NO_MAP) : ok({ files, leftOut })
}

const NO_MAP =
  'project.yaml does not assign colours and fonts to Office: write a map with all of these keys, with colour ids and family names, such as office: { dk1: ink, lt1: paper, dk2: graphite, lt2: mist, accent1: signal, accent2: moss, accent3: brass, accent4: beech, accent5: steel, accent6: chalk, hlink: signal, folHlink: iron, major: IBM Plex Sans, minor: IBM Plex Sans }'

function colorScheme(name: string, office: OfficeTheme, colors: readonly Color[]): string {
  const hexes = new Map<string | undefined, string>(colors.map(({ id, hex }) => [id, hex]))
  const slots = OFFICE_COLORS.map(slot => {
    const hex = hexes.get(office[slot])
    return hex && `<a:${slot}><a:srgbClr val="${hex.slice(1).toUpperCase()}"/></a:${slot}>`
  })
  return document('clrScheme', name, slots)
}

function fontScheme(name: string, office: OfficeTheme): string {
  const fonts = OFFICE_FONTS.map(font => {
    const family = office[font]
    if (family === undefined) return undefined
    const typefaces = `<a:latin typeface="${attribute(family)}"/><a:ea typeface=""/><a:cs typeface=""/>`
    return `<a:${font}Font>${typefaces}</a:${font}Font>`
  })
  return document('fontScheme', name, fonts)
}

/** A scheme as a document of XML; empty if one of its parts is missing. */
function document(element: string, name: string, parts: readonly (string | undefined)[]): string {
  if (parts.includes(undefined)) return ''
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
  return `${head}<a:${element} xmlns:a="${DRAWING}" name="${attribute(name)}">${parts.join('')}</a:${element}>`
}

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'

/** A string as an XML 1.0 attribute value, without the characters that XML cannot contain. */
function attribute(text: string): string {
  return text
    .replace(/[\ufffe\uffff]|[^\P{Cc}\t\r\n\u007f-\u009f]/gu, '')
    .replace(/[&<>"'\t\r\n\u007f-\u009f]/g, character => `&#${character.charCodeAt(0)};`)
}

/** A brand name as a file name for every system, cut to 80 characters. */
export function fileName(name: string): string {
  const kept = name
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, '')
    .replace(/[\\/:*?"<>|]+/g, '-')
  const cut = [...kept]
    .slice(0, MAX_NAME)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (cut === '') return 'Brand'
  return safeName(cut)
}

const MAX_NAME = 80
