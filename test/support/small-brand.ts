import type { Contents } from './temporary.ts'

/** The smallest PNG: one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** A workspace with a bit of everything: two projects to publish, and one that stays unpublished. */
export const SMALL_BRAND: Contents = {
  'workspace.yaml': 'id: acme\nname: Acme GmbH\n',
  'guidelines/project.yaml': 'name: Brand guidelines\nvisibility: public\n',
  'guidelines/pages/index.md': '# Welcome\n\n![The mark](logo/mark.svg) and [the logo](logo.md "Logo").\n',
  'guidelines/pages/logo.md': '---\ntitle: Logo\n---\n\nÜber *alles*.\r\n',
  'guidelines/pages/logo/misuse.md': '# Misuse\n\nBack [home](/).\n',
  'guidelines/pages/色.md': '# 色\n',
  'guidelines/pages/logo/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n',
  'guidelines/styles/colors.yaml':
    '- name: Blue\n  hex: "#1D70B8"\n  cmyk: [84, 39, 0, 28]\n  pms: 285 C\n  pms2: 2172 U\n  ral: RAL 5015\n- name: Ink\n  rgb: 11, 12, 12\n',
  'guidelines/styles/types.yaml':
    '- name: Heading\n  family: Acme Sans\n  size: 32\n  leading: 1.25\n  tracking: -0.01\n  casing: uppercase\n  spacing: 0.5\n  responsive: true\n  features: { tnum: 1, liga: 0 }\n- name: Body\n',
  'guidelines/files/pixel.png': PIXEL,
  'guidelines/files/notes.txt': 'Notes.\n',
  'guidelines/files/files.yaml': 'pixel.png: One pixel\n',
  'empty/project.yaml': 'name: An empty one\n',
  'hidden/project.yaml': 'name: Not yet published\n',
  'hidden/pages/index.md': '# Hidden\n',
  'hidden/files/plan.txt': 'A plan.\n',
}
