import { filename, pictureMetadata } from '#brand/file.ts'
import type { Icon, Reader } from '#delivery/agents/tools/tool.ts'
import { encodeSegment } from '#serving/addresses.ts'
import { fileAddress, introductionOf } from '#site/introduction.ts'
import type { Site } from '#site/site.ts'
import { themeOf } from '#site/theme/guide-theme.ts'

/** The icon of a guide, or else its logo; the logo of a workspace; ours if there is none. */
export function serverIcons(site: Site): NonNullable<Reader['icons']> {
  const base = site.service.access.publicUrl
  const find = async (workspace: string, publication: Parameters<NonNullable<Reader['icons']>>[1]) => {
    if (publication) {
      const { icon, logo } = await themeOf(publication)
      const file = icon ?? logo?.file
      if (!file) return undefined
      const { record } = publication
      const path = `/-/files/${site.urls.fileKey(record, file)}/${encodeSegment(filename(file.path))}`
      // At the guide's own address, because clients may load icons only from the host of their server.
      return iconOf(site.urls.below(record, path), file.contentType, pictureMetadata(file))
    }
    const { logo } = (await introductionOf(site, workspace))?.theme ?? {}
    return logo && iconOf(fileAddress({ at: path => base + path, workspace }, 'logo', logo), logo.contentType, logo)
  }
  const defaultIcon = () => iconOf(new URL(site.assets.path('icon.svg'), base).href, 'image/svg+xml')
  return async (workspace, publication) => [(await find(workspace, publication)) ?? defaultIcon()]
}

function iconOf(src: string, mimeType: string, size: { width?: number; height?: number } = {}): Icon {
  const { width, height } = size
  return { src, mimeType, sizes: [mimeType !== 'image/svg+xml' && width && height ? `${width}x${height}` : 'any'] }
}
