/** Something that is wrong with a store, as `housestyle doctor --json` prints it. */
export type Problem = {
  check: 'unreachable' | 'rights' | 'space' | 'database' | 'clock' | 'pointer' | 'object' | 'file'
  /** What it is about: a path, a project, a hash. */
  subject: string
  /** What is the case, to be read after the subject. */
  message: string
  /** What to do. */
  fix: string
}
