import StyleDictionary from 'style-dictionary'
import type { DesignTokens } from 'style-dictionary/types'

type Filter = (token: { path: string[] }) => boolean

/** Whether a Style Dictionary token is a colour. */
export const isColor: Filter = ({ path }) => path[0] === 'color'

/** Style Dictionary with these tokens, for one output file. */
export function dictionary(
  tokens: DesignTokens,
  transformGroup = 'css',
  format = 'css/variables',
  options: object = {},
  filter?: Filter,
): StyleDictionary {
  const files = [{ destination: 'out', format, ...(filter && { filter }) }]
  return new StyleDictionary({
    tokens,
    log: { verbosity: 'silent', warnings: 'disabled' },
    platforms: { out: { transformGroup, files, ...options } },
    ...(transformGroup === 'tokens-studio' && { preprocessors: ['tokens-studio'] }),
  })
}

/** The content of that file. */
export async function built(...of: Parameters<typeof dictionary>): Promise<string> {
  const [file] = await dictionary(...of).formatPlatform('out')
  return `${file?.output ?? ''}`
}
