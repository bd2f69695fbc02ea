import { SaxesParser } from 'saxes'

/** Checks an SVG as strictly as a browser, which shows nothing if there is an error. */
export type SvgValidator = {
  write: (text: string) => void
  /** The first error; undefined if there is none. `isWhole`: the whole file was written. */
  error: (isWhole: boolean) => string | undefined
}

export function openSvgValidator(): SvgValidator {
  const parser = new SaxesParser({ xmlns: true, position: true })
  let found: string | undefined
  let hasDoctype = false
  let isRoot = true
  parser.on('doctype', () => {
    hasDoctype = true
  })
  parser.on('error', ({ message }) => {
    // A DOCTYPE may define entities, which this parser does not support.
    if (!hasDoctype || !/entity/i.test(message)) found ??= message.replace(/^(\d+):\d+: (.*?)\.?$/s, 'line $1: $2')
  })
  parser.on('opentag', ({ uri, name, prefix }) => {
    if (isRoot && uri !== SVG && !uri.startsWith('&'))
      found ??= `<${name}> has no ${prefix === '' ? 'xmlns' : `xmlns:${prefix}`}="${SVG}"`
    isRoot = false
  })
  return {
    write: text => {
      if (found === undefined) parser.write(text)
    },
    error: isWhole => {
      if (isWhole && found === undefined) parser.close()
      return found
    },
  }
}

const SVG = 'http://www.w3.org/2000/svg'
