/** The placeholders of the words that have any. `npm run docs` makes this file from `en.json`. */
export type Placeholders = {
  frame: {
    revision: 'revision' | 'day'
    contact: 'contact'
    pagesBelow: 'page'
    notice: 'problem'
  }
  manage: {
    noteHint: 'count'
    allNew: 'items'
    more: 'count'
    findings: 'count'
    line: 'line'
    firstOnly: 'count'
    importFailed: 'reason'
    done: {
      publish: 'revision'
      restore: 'revision'
    }
    restoreOf: 'revision'
    restored: 'revision'
    dismissOf: 'who'
    share: {
      days: 'count'
      madeOn: 'day'
      madeBy: 'who'
      until: 'day'
      lastUsed: 'day'
      endOf: 'name'
      longName: 'count'
      wrongExpires: 'count'
    }
    people: {
      since: 'day'
      lastUsed: 'day'
      endOf: 'name'
    }
  }
  usage: {
    lead: 'count'
    chart: 'kind' | 'total' | 'count' | 'highest'
  }
  review: {
    approvedBy: 'who' | 'day'
    askedBy: 'who' | 'day'
    tooLong: 'count'
    byLink: 'who'
  }
  copy: {
    copy: 'what'
  }
  lists: {
    firstOf: 'first' | 'count' | 'link'
  }
  pages: {
    allOf: 'count'
    firstOfAll: 'first' | 'link'
    tableNumber: 'number'
    toReference: 'footnote'
  }
  welcome: {
    for: 'name' | 'day'
    until: 'day'
  }
  consent: {
    connect: 'program'
    question: 'program' | 'content'
    workspace: 'name'
    ofHost: 'host'
    linkHolderOf: 'name'
  }
  signin: {
    setupWhy: 'contact'
    account: 'account'
    needAccess: 'contact'
    signedInAs: 'name'
  }
  sessions: {
    since: 'ago'
    lastUsed: 'ago'
  }
  nothing: {
    people: 'workspace'
    partly: 'link'
    partlyAs: 'name' | 'link'
  }
  changes: {
    since: 'revision' | 'day'
  }
  draft: {
    since: 'day'
    same: 'revision' | 'day'
  }
  search: {
    title: 'text'
    count: 'count'
    all: 'count'
    noneFor: 'text'
    needsScript: 'link'
    tryOther: 'link'
    preparing: 'link'
    found: 'text' | 'count'
    best: 'first' | 'count' | 'text'
  }
  colors: {
    count: 'count'
    tintsOf: 'color'
    pair: 'letters' | 'ground'
    contrastWith: 'color'
    contrastOn: 'color' | 'hex'
  }
  type: {
    count: 'count'
    cssOf: 'style'
    missingFont: 'family'
    unread: 'file'
    weight: 'weight'
    afterParagraph: 'ems'
  }
  specimen: {
    write: 'family'
    stylisticSet: 'set'
    characterVariant: 'variant'
    notShown: 'count'
    download: 'count'
  }
  files: {
    count: 'count'
    downloadAll: 'size'
    someOf: 'found' | 'count'
    downloadFormat: 'name' | 'format'
    choose: 'name'
    downloadFolder: 'folder' | 'size'
    uses: {
      fromWidth: 'pixels'
      until: 'day'
      expired: 'day'
    }
    pngOf: 'name' | 'size'
    copyCodeOf: 'name'
    copyAddressOf: 'name'
    download: 'format'
    check: {
      how: 'size'
      command: 'command'
      old: 'revision'
      expired: 'day'
    }
  }
}
