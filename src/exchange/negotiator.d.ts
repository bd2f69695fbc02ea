/** The part of `negotiator` 1 that is used here. Its published types lack the preferences. */
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> })
    encodings(available: string[], options: { preferred: string[] }): string[]
  }
  export = Negotiator
}
