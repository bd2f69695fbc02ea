import { PRINT_KEYS } from '../../../brand/color.ts'
import type { GuideStyles } from '../../../conversion/guide-styles.ts'
import { colorsYaml, typesYaml } from '../../../conversion/style-files.ts'
import { CommandFailure } from '../../failure.ts'
import { byteSize } from '../../output/text.ts'

/**
 * The files of a brand folder with styles from other tools, keyed by path.
 *
 * @param id the id of workspace and project, which is pinned in case the folder is checked out under another name
 * @throws CommandFailure if a styles file would be too large
 */
export function styledFiles(
  name: string,
  id: string,
  { colors, types }: GuideStyles,
): Readonly<Record<string, string>> {
  const links = [
    ...(colors.length > 0 ? ['[Colours](../styles/colors.yaml)'] : []),
    ...(types.length > 0 ? ['[Type](../styles/types.yaml)'] : []),
  ]
  const files = {
    'workspace.yaml': `id: ${id}\n`,
    'project.yaml': projectYaml(name, id),
    'pages/index.md': `---
title: Welcome
description: How ${name} looks and speaks.
---

# ${name}

Write here what everyone who works with the brand must know first.

${links.map(link => `- ${link}\n`).join('')}`,
    ...(colors.length > 0 && { 'styles/colors.yaml': `${ABOUT_COLORS}${colorsYaml(colors)}` }),
    ...(types.length > 0 && { 'styles/types.yaml': `${ABOUT_TYPES}${typesYaml(types)}` }),
  }
  for (const [path, content] of Object.entries(files)) {
    const size = Buffer.byteLength(content)
    if (size <= MAX_BYTES) continue
    const message = `${path} would have ${byteSize(size)}, and may have ${byteSize(MAX_BYTES)}; take styles from a smaller file`
    throw new CommandFailure('source_unreadable', message)
  }
  return files
}

/** The size limit of a styles file, without the line that names its schema. */
const MAX_BYTES = (4 << 20) - 100

function projectYaml(name: string, id: string): string {
  return `id: ${id}
name: ${JSON.stringify(`${name} guidelines`)}

# private: the website opens with a share link. public: it is open to everyone.
visibility: private

# The website's theme: pictures by path under files/, colours and type styles by id.
# theme:
#   logo: files/images/mark.svg
#   accent: the id of a colour
#   heading: the id of a type style
`
}

const ABOUT_COLORS = `# name, and hex or rgb. Print values (${PRINT_KEYS.join(', ')}) are optional and never computed.
# use: what a colour is for. group: its heading on the website. on: the backgrounds it may be used on.
`
const ABOUT_TYPES = `# size in px, leading as a multiple of size, tracking and spacing in em.
# family: the family of a font under files/. weight: 1 to 1000, or a name as SemiBold.
`
