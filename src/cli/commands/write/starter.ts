/**
 * The files of a small brand folder to start from, by path. Each shows one feature of brand folders.
 *
 * @param id the id of workspace and project, which they keep under whatever name the folder is checked out
 */
export function starterFiles(name: string, id: string): Readonly<Record<string, string>> {
  return {
    'workspace.yaml': `id: ${id}\n`,
    'project.yaml': `id: ${id}\nname: ${JSON.stringify(`${name} guidelines`)}

# private: the website opens with a share link or a token. public: it is open to everyone.
visibility: private

# The pages that come first, in this order; the others follow by id.
pages: [index, logo, color]
`,
    'pages/index.md': `---
title: Welcome
description: How ${name} looks and speaks.
---

# ${name}

Write here what everyone who works with the brand must know first.

- [The logo](logo.md) and when to use it
- [Our colours](color.md)
`,
    'pages/logo.md': `# Logo

![The ${name} mark](../files/images/mark.svg "The mark on white")

Leave half of the mark's width free on all sides. [Download it](../files/images/mark.svg).
`,
    'pages/color.md': `# Colour

Ink is for text, Signal for the one thing on a page that must be seen.
Their values for screen and print are in \`styles/colors.yaml\`.
`,
    'styles/colors.yaml': `# name, and hex or rgb. Print values (cmyk, pms, pms2, ral) stand only where you write them.
- name: Ink
  hex: "#16202c"
  cmyk: 90, 75, 55, 70
- name: Signal
  hex: "#e4572e"
  pms: 7579 C
- name: Paper
  hex: "#ffffff"
`,
    'styles/types.yaml': `# size in px, leading as a multiple of size, tracking and spacing in em.
# family: the family of a font under files/, once there is one.
- name: Heading
  size: 40
  leading: 1.1
  tracking: -0.02
- name: Body
  size: 16
  leading: 1.5
  spacing: 1
  responsive: true
`,
    'files/files.yaml': `# What a picture shows, for those who cannot see it.
images/mark.svg: The ${name} mark, a ring around a dot
`,
    'files/images/mark.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">
  <circle cx="48" cy="48" r="38" fill="none" stroke="#16202c" stroke-width="12"/>
  <circle cx="48" cy="48" r="14" fill="#e4572e"/>
</svg>
`,
  }
}
