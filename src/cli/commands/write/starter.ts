import { PRINT_KEYS } from '../../../brand/color.ts'

/**
 * The files of a small brand folder to start from, keyed by path. Each shows a feature of brand folders.
 *
 * @param id the id of workspace and project, which is pinned in case the folder is checked out under another name
 */
export function starterFiles(name: string, id: string): Readonly<Record<string, string>> {
  return {
    'workspace.yaml': `id: ${id}\n`,
    'project.yaml': `id: ${id}\nname: ${JSON.stringify(`${name} guidelines`)}

# private: the website opens with a share link. public: it is open to everyone.
visibility: private

# The pages that come first, in this order; the others follow by id.
pages: [index, logo, color]

# The website's theme: pictures by path, colours and type styles by id.
theme:
  logo: files/images/mark.svg
  logoDark: files/images/mark-white.svg
  icon: files/images/mark.svg
  accent: signal
  ground: paper
  text: ink
  heading: heading
  body: body
  corners: soft
`,
    'pages/index.md': `---
title: Welcome
description: How ${name} looks and speaks.
cover: ink
---

# ${name}

Write here what everyone who works with the brand must know first.

- [Logo](logo.md)
- [Colour](color.md)

A link to a file in its own paragraph becomes a card with a download, a link to a folder becomes an archive:

[All pictures](../files/images/)
`,
    'pages/logo.md': `---
cover: paper
---

# Logo

![The ${name} mark](../files/images/mark.svg "The mark on white")

Leave half of the mark's width free on all sides. [Download it](../files/images/mark.svg).
`,
    'pages/color.md': `---
cover: signal
---

# Colour

A link to a colour, alone or in a list of such links, is a tile with its values:

- [Ink](../styles/colors.yaml#ink)
- [Signal](../styles/colors.yaml#signal)
- [Paper](../styles/colors.yaml#paper)

Ink is for text, Signal for the one thing on a page that must be seen.

Headings look like this:

[Heading](../styles/types.yaml#heading)
`,
    'styles/colors.yaml': `# name, and hex or rgb. Print values (${PRINT_KEYS.join(', ')}) are optional and never computed.
# use: what a colour is for. on: the backgrounds it may be used on. proportion: its share of a surface, per cent.
- name: Ink
  hex: "#16202c"
  cmyk: 90, 75, 55, 70
  use: Text
  on: paper
  proportion: 25
- name: Signal
  hex: "#c2410c"
  pms: 7579 C
  use: The one thing that must be seen
  on: paper
  proportion: 5
- name: Paper
  hex: "#ffffff"
  use: The usual ground
  proportion: 70
`,
    'styles/types.yaml': `# size in px, leading as a multiple of size, tracking and spacing in em.
# family: the family of a font under files/, once there is one. weight: 1 to 1000, or a name as SemiBold.
- name: Heading
  weight: SemiBold
  size: 40
  leading: 1.1
  tracking: -0.02
  sample: ${JSON.stringify(`${name} says it plainly`)}
- name: Body
  size: 16
  leading: 1.5
  spacing: 1
  responsive: true
`,
    'files/files.yaml': `# Descriptions of pictures for people who cannot see them, and titles for the website.
# ground: the colour that it is for.
images/mark.svg:
  title: Mark
  description: ${JSON.stringify(`The ${name} mark, a ring around a dot`)}
images/mark-white.svg:
  title: White mark
  description: ${JSON.stringify(`The ${name} mark in white`)}
  ground: ink
`,
    'files/images/mark.svg': mark('#16202c', '#c2410c'),
    'files/images/mark-white.svg': mark('#ffffff', '#ffffff'),
  }
}

function mark(ring: string, dot: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">
  <circle cx="48" cy="48" r="38" fill="none" stroke="${ring}" stroke-width="12"/>
  <circle cx="48" cy="48" r="14" fill="${dot}"/>
</svg>
`
}
