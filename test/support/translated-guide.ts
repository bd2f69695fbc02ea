/** A public guide that tests translate. */
export const ORIGINAL: Readonly<Record<string, string>> = {
  'guide/project.yaml': 'name: Guidelines\nlang: en\nvisibility: public\n',
  'guide/pages/index.md': '# Welcome\n',
  'guide/pages/logo.md': '# Logo\n',
  'guide/pages/motion.md': '# Motion\n',
  'guide/styles/colors.yaml': '- { name: Signal, hex: "#c8102e" }\n',
}
