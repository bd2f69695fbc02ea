/** What we use of `negotiator` 1, whose published types do not know its preferences yet. */
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> })
    encodings(available: string[], options: { preferred: string[] }): string[]
  }
  export = Negotiator
}
