import { pick, withoutUndefined } from '../../base/object.ts'
import type { Theme } from '../../brand/appearance.ts'
import { TOKEN_EXTENSION } from '../../brand/fields.ts'
import { FILE_NOTE_KEYS, isPicture } from '../../brand/file.ts'
import type { ExportSource } from '../format.ts'
import { type KeyedLogo, listedLogos } from './listed-logos.ts'

/** The logos of a brand, and the rules for their use. A draft has no addresses, so it has none. */
export async function brandLogos({ publication: { record, content }, urls }: ExportSource) {
  const { theme = {} } = await content.appearance()
  const { logos, leftOut } = await listedLogos(content)
  const entries = urls ? logos.map(logo => logoEntry(logo, theme, urls.file(record, logo.file))) : []
  return { logos: entries, rules: urls ? logos.flatMap(ruleOf) : [], leftOut }
}

function logoEntry({ file, key, isForDark }: KeyedLogo, theme: Theme, url: string): object {
  const { path, contentType } = file
  const { width, height, description } = (isPicture(file) && file.metadata) || {}
  return withoutUndefined({
    id: key,
    url,
    orientation: width && height ? orientationOf(width / height) : undefined,
    background: isForDark === undefined ? undefined : isForDark ? 'dark-bg' : 'light-bg',
    variant: path === theme.logo ? 'primary' : path === theme.icon ? 'icon' : undefined,
    slots: path === theme.logo ? ['nav_header'] : path === theme.icon ? ['favicon'] : undefined,
    width: width && Math.round(width),
    height: height && Math.round(height),
    [TOKEN_EXTENSION]: withoutUndefined({ path, contentType, description, ...pick(file, FILE_NOTE_KEYS) }),
  })
}

function orientationOf(ratio: number): string {
  if (ratio > 1.1) return 'horizontal'
  return ratio < 1 / 1.1 ? 'vertical' : 'square'
}

function ruleOf({ file, key }: KeyedLogo): object[] {
  const { minWidth, clearSpace, clearSpaceOf, ground, medium } = file
  const space = [clearSpace === undefined ? undefined : `${clearSpace} × the height of the logo`, clearSpaceOf]
  const clear = space.filter(part => part !== undefined).join(': ')
  const rule = withoutUndefined({
    minimum_size: minWidth === undefined ? undefined : { width: `${minWidth}px` },
    clear_space: clear === '' ? undefined : clear,
    allowed_backgrounds: ground === undefined ? undefined : [{ kind: 'name', name: ground }],
    contexts: medium,
  })
  return Object.keys(rule).length > 0 ? [{ logo_id: key, ...rule }] : []
}
