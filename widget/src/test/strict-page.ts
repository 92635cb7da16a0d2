/** A frame with the strictest CSP that the README promises to support. */
export class StrictPage {
  /** CSP violations. */
  readonly refused: string[] = []
  private readonly frame: HTMLIFrameElement

  private constructor(frame: HTMLIFrameElement) {
    this.frame = frame
  }

  /** @param wallet - The injected provider of old wallets. */
  static async open(script: URL, type: 'module' | 'classic', attributes: string, wallet: object): Promise<StrictPage> {
    const rules = `default-src 'none'; script-src ${script.origin}; connect-src ${script.origin}; style-src 'none'; require-trusted-types-for 'script'; trusted-types lit-html`
    const frame = document.createElement('iframe')
    frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${rules}"><body></body>`
    const page = new StrictPage(frame)
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
    document.body.append(frame)
    await loaded
    const { contentWindow: inside, contentDocument: body } = frame
    if (!inside || !body) throw new Error('The frame did not open.')
    body.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      page.refused.push(`${violatedDirective} ${blockedURI}`),
    )
    Object.assign(inside, { ethereum: wallet, fetch: globalThis.fetch })
    const box = body.createElement('stablecoin-checkout')
    for (const pair of attributes.split(' ')) box.setAttribute(...(pair.split('=') as [string, string]))
    body.body.append(box)
    // The outer page's policy may create the script URL; the strict page may not.
    const tag = document.createElement('script')
    if (type === 'module') tag.type = type
    tag.src = script.href
    body.body.append(tag)
    return page
  }

  /** The CSP is in force: text may not become markup. */
  get isStrict(): boolean {
    const probe = this.frame.contentDocument?.createElement('p')
    try {
      if (probe) probe.innerHTML = '<b>text</b>'
      return false
    } catch {
      return true
    }
  }

  get text(): string {
    return this.root?.querySelector('.card')?.textContent ?? ''
  }

  /** Names of the chunks loaded so far; empty for the script itself. */
  get loaded(): string[] {
    const entries = this.frame.contentWindow?.performance.getEntriesByType('resource') ?? []
    return entries.flatMap(({ name }) => /stablecoin-checkout(?:-(.+)-[\w-]{7})?\.js$/.exec(name)?.[1] ?? [])
  }

  press(words: string): void {
    const buttons = [...(this.root?.querySelectorAll('button') ?? [])]
    buttons.find(({ textContent }) => textContent?.includes(words))?.click()
  }

  close(): void {
    this.frame.remove()
  }

  private get root(): ShadowRoot | null | undefined {
    return this.frame.contentDocument?.querySelector('stablecoin-checkout')?.shadowRoot
  }
}
