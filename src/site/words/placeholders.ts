/** The placeholders of each word. `npm run docs` makes this file from `en.json`. */
export type Placeholders = {
  frame: {
    skip: never
    menu: never
    closeMenu: never
    getLogo: never
    sections: never
    more: never
    guide: never
    breadcrumb: never
    overview: never
    library: never
    onThisPage: never
    theme: never
    auto: never
    light: never
    dark: never
    signOut: never
    revision: 'revision' | 'day'
    draft: never
    contents: never
    markdown: never
    contact: 'contact'
    pagesBelow: 'page'
    notice: 'problem'
  }
  manage: {
    title: never
    publishing: never
    usage: never
    workspace: never
    toGuide: never
    revision: never
    when: never
    who: never
    note: never
    noteHint: 'count'
    nothingNew: never
    allNew: 'items'
    openDraft: never
    becomes: {
      public: never
      private: never
    }
    keepsWorkspace: never
    more: 'count'
    findings: 'count'
    noFindings: never
    findingsUnknown: never
    line: 'line'
    firstOnly: 'count'
    importFailed: 'reason'
    publish: never
    done: {
      publish: 'revision'
      restore: 'revision'
    }
    history: never
    restoreHint: never
    restore: never
    restoreOf: 'revision'
    restored: 'revision'
    dismiss: never
    dismissOf: 'who'
    dismissed: never
    current: never
    retracted: never
    freed: never
    refusals: {
      draft_changed: never
      project_copying: never
      revision_unknown: never
      revision_retracted: never
      revision_freed: never
      note_long: never
      request_gone: never
      form: never
    }
    foreign: never
    foreignWhy: never
    share: {
      title: never
      lead: never
      of: never
      guide: never
      draft: never
      mayApprove: never
      name: never
      expires: never
      days: 'count'
      make: never
      made: never
      address: never
      copy: never
      approves: never
      madeOn: 'day'
      madeBy: 'who'
      until: 'day'
      lastUsed: 'day'
      unused: never
      unnamed: never
      end: never
      endOf: 'name'
      gone: never
      wrongOf: never
      longName: 'count'
      wrongExpires: 'count'
    }
    people: {
      guides: never
      sessions: never
      connections: never
      endsLinks: never
      unpublished: never
      changed: never
      you: never
      since: 'day'
      lastUsed: 'day'
      unused: never
      link: never
      nobody: never
      noAgent: never
      end: never
      endOf: 'name'
      gone: never
      unknown: never
    }
  }
  usage: {
    lead: 'count'
    none: never
    missedWhy: never
    kinds: {
      page: never
      file: never
      export: never
      missed: never
      api: never
      agent: never
    }
    items: {
      page: never
      file: never
      export: never
      missed: never
      api: never
      agent: never
    }
    count: never
    chart: 'kind' | 'total' | 'count' | 'highest'
    byDay: never
    day: never
  }
  review: {
    title: never
    approved: never
    unapproved: never
    approvedBy: 'who' | 'day'
    askedBy: 'who' | 'day'
    old: never
    ended: never
    dismissed: never
    comment: never
    approve: never
    ask: never
    tooLong: 'count'
    stale: never
    first: never
    someone: never
    link: never
    byLink: 'who'
    byUnknown: never
    workspace: never
  }
  sections: {
    colors: never
    type: never
    files: never
  }
  copy: {
    copy: 'what'
    copied: never
    selected: never
  }
  use: {
    title: never
    lead: never
    design: never
    code: never
    agents: never
    address: never
    opensBrowser: never
    files: never
    palette: never
    fonts: never
  }
  lists: {
    firstOf: 'first' | 'count' | 'link'
  }
  pages: {
    all: never
    allOf: 'count'
    pages: never
    firstOfAll: 'first' | 'link'
    neighbours: never
    edit: never
    previous: never
    next: never
    empty: never
    missingTitle: never
    missing: never
    missingWhy: never
    closest: never
    headingLink: never
    table: never
    tableNumber: 'number'
    picture: never
    closePicture: never
    film: never
    pause: never
    captions: never
    sound: never
    task: never
    footnotes: never
    toReference: 'footnote'
    tooMuchMemory: never
    tooLarge: never
  }
  brandWords: {
    write: never
    not: never
    why: never
  }
  forms: {
    do: never
    dont: never
    before: never
    after: never
    compare: never
    note: never
    tip: never
    important: never
    warning: never
    caution: never
    code: never
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
    registered: never
    which: never
    needsAccess: never
    needsLink: never
    link: never
    place: never
    wrong: never
    next: never
    cancel: never
    allow: never
    program: never
    projects: never
    reads: never
    scopeNames: {
      'settings.read': never
      'projects.read': never
      'data.read': never
      'document.read': never
      'styles.read': never
      'files.read': never
    }
    you: never
    linkHolder: never
    linkHolderOf: 'name'
    until: never
    returns: never
    signInAgain: never
    changesNothing: never
  }
  signin: {
    signIn: never
    choose: never
    again: never
    insecure: never
    insecureWhy: never
    setup: never
    setupWhy: 'contact'
    unavailable: never
    unavailableWhy: never
    expired: never
    expiredWhy: never
    notCompleted: never
    notCompletedWhy: never
    noAccess: never
    account: 'account'
    refusals: {
      'not-allowed': never
      'email-unverified': never
      'groups-cut': never
    }
    needAccess: 'contact'
    sender: never
    signedIn: never
    signedInAs: 'name'
    stay: never
    signedOut: never
    foreign: never
    foreignWhy: never
    program: never
    programTitle: never
    programWhy: never
  }
  sessions: {
    title: never
    lead: never
    this: never
    other: never
    since: 'ago'
    lastUsed: 'ago'
    endOthers: never
    ended: never
    othersEnded: never
    gone: never
  }
  nothing: {
    here: never
    title: never
    why: never
    private: never
    people: 'workspace'
    withLink: never
    withAccount: never
    partly: 'link'
    partlyAs: 'name' | 'link'
    publicGuides: never
  }
  front: {
    workspace: never
  }
  changes: {
    title: never
    since: 'revision' | 'day'
    added: never
    changed: never
    removed: never
    none: never
    settings: never
    before: never
    after: never
    nothingBefore: never
  }
  draft: {
    since: 'day'
    changes: never
    same: 'revision' | 'day'
  }
  search: {
    search: never
    searchGuide: never
    again: never
    hint: never
    title: 'text'
    results: never
    count: 'count'
    all: 'count'
    none: never
    noneFor: 'text'
    needsScript: 'link'
    tryOther: 'link'
    preparing: 'link'
    found: 'text' | 'count'
    best: 'first' | 'count' | 'text'
    someWords: never
    page: never
    color: never
    typeStyle: never
    file: never
  }
  colors: {
    count: 'count'
    none: never
    others: never
    proportions: never
    copyAs: never
    tintsOf: 'color'
    tryPair: never
    pairText: never
    pairGround: never
    showPair: never
    ratio: never
    uses: {
      body: never
      large: never
      graphics: never
    }
    pairs: never
    pair: 'letters' | 'ground'
    print: never
    wcag: never
    levels: {
      AAA: never
      AA: never
      'AA large': never
      fails: never
    }
    contrast: never
    contrastTable: never
    contrastOthers: never
    contrastWith: 'color'
    contrastOn: 'color' | 'hex'
    levelHeadings: {
      AAA: never
      AA: never
      'AA large': never
      fails: never
    }
  }
  type: {
    count: 'count'
    none: never
    styles: never
    fonts: never
    sampleLabel: never
    details: never
    cssOf: 'style'
    noFont: never
    missingFont: 'family'
    unread: 'file'
    weight: 'weight'
    slants: {
      normal: never
      italic: never
      oblique: never
    }
    family: never
    weightLabel: never
    slant: never
    size: never
    leading: never
    tracking: never
    casing: never
    casings: {
      none: never
      uppercase: never
      lowercase: never
      capitalize: never
      'small-caps': never
    }
    spacing: never
    afterParagraph: 'ems'
    responsive: never
    sizeFollows: never
    features: never
    axes: never
    fallback: never
    sample: never
    largeSample: never
  }
  specimen: {
    write: 'family'
    editable: never
    axes: {
      opsz: never
      slnt: never
      wdth: never
      ital: never
    }
    features: never
    feature: never
    off: never
    on: never
    stylisticSet: 'set'
    characterVariant: 'variant'
    featureNames: {
      c2sc: never
      case: never
      clig: never
      dlig: never
      frac: never
      hist: never
      liga: never
      lnum: never
      onum: never
      ordn: never
      pnum: never
      salt: never
      sinf: never
      smcp: never
      subs: never
      sups: never
      swsh: never
      tnum: never
      zero: never
    }
    characters: never
    kinds: {
      number: never
      punctuation: never
      currency: never
      math: never
      symbol: never
      private: never
    }
    notShown: 'count'
    license: never
    embedding: never
    copyright: never
    rights: {
      installable: never
      editable: never
      preview: never
      restricted: never
    }
    noSubsets: never
    bitmapsAlone: never
    download: 'count'
    together: never
    noFonts: never
    reading: never
  }
  files: {
    count: 'count'
    none: never
    noneOfKind: never
    kindsOfFiles: never
    all: never
    kinds: {
      pictures: never
      fonts: never
      documents: never
      media: never
      other: never
    }
    downloadAll: 'size'
    someOf: 'found' | 'count'
    expired: never
    narrow: never
    previewOn: never
    ownGround: never
    general: never
    file: never
    downloadFormat: 'name' | 'format'
    choose: 'name'
    downloadFolder: 'folder' | 'size'
    downloadChosen: never
    tooMany: never
    clear: never
    uses: {
      title: never
      medium: never
      ground: never
      width: never
      any: never
      show: never
      none: never
      media: {
        screen: never
        print: never
        merchandise: never
        video: never
      }
      fromWidth: 'pixels'
      onDark: never
      onLight: never
      until: 'day'
      expired: 'day'
    }
    pngOf: 'name' | 'size'
    copyCodeOf: 'name'
    copyAddressOf: 'name'
    download: 'format'
    usedIn: never
    territory: never
    address: never
    neighbours: never
    over: never
    check: {
      title: never
      choose: never
      how: 'size'
      command: 'command'
      current: never
      old: 'revision'
      expired: 'day'
      unknown: never
      large: never
      failed: never
      today: never
    }
  }
}
