import { render, type TemplateResult } from 'lit/html.js'

/** What is told when the element enters and leaves the page, as in Lit. */
export type Controller = { hostConnected?(): void; hostDisconnected?(): void }

/** What a controller may ask of its element, as in Lit. */
export type ControllerHost = EventTarget & { addController(controller: Controller): void; requestUpdate(): void }

/** A property and the attribute it is set by, if any. */
type Declarations = Record<string, { attribute?: string; parse?: (text: string) => unknown }>

/**
 * The part of LitElement that the checkout uses, by the same names and rules: properties and attributes, one update for
 * all changes of a turn, controllers. LitElement itself would add 2 kB gzip, a seventh of the script a customer waits for.
 */
export abstract class SmallElement extends HTMLElement implements ControllerHost {
  static properties: Declarations = {}
  static observedAttributes: string[] = []
  static styles = ''

  /** Gives the element its accessors and registers it. A page may load the script twice; a tag that is taken stays as it is. */
  static define(tag: string, type: typeof SmallElement & CustomElementConstructor): void {
    if (customElements.get(tag)) return
    for (const name of Object.keys(type.properties))
      Object.defineProperty(type.prototype, name, {
        get(this: SmallElement) {
          return this.values[name]
        },
        set(this: SmallElement, value: unknown) {
          if (value === this.values[name]) return
          this.values[name] = value
          this.changed.add(name)
          this.requestUpdate()
        },
      })
    type.observedAttributes = Object.values(type.properties).flatMap(({ attribute }) => attribute ?? [])
    customElements.define(tag, type)
  }

  readonly renderRoot = this.attachShadow({ mode: 'open' })
  protected hasUpdated = false
  private readonly controllers: Controller[] = []
  private readonly values: Record<string, unknown> = {}
  private readonly early: Record<string, unknown> = {}
  private changed = new Set<string>()
  private pending: Promise<void> | undefined

  constructor() {
    super()
    const { styles, properties } = this.constructor as typeof SmallElement
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    this.renderRoot.adoptedStyleSheets = [sheet]
    // A page that sets properties before the script has come sets them on a plain element, where they hide our accessors.
    for (const name of Object.keys(properties).filter((name) => Object.hasOwn(this, name))) {
      this.early[name] = Reflect.get(this, name)
      Reflect.deleteProperty(this, name)
    }
  }

  /** Resolves when the screen shows what was set last. */
  get updateComplete(): Promise<void> {
    return Promise.resolve(this.pending)
  }

  addController(controller: Controller): void {
    this.controllers.push(controller)
  }

  requestUpdate(): void {
    this.pending ??= Promise.resolve().then(() => this.update())
  }

  connectedCallback(): void {
    Object.assign(this, this.early)
    for (const controller of this.controllers) controller.hostConnected?.()
    this.requestUpdate()
  }

  disconnectedCallback(): void {
    for (const controller of this.controllers) controller.hostDisconnected?.()
  }

  attributeChangedCallback(attribute: string, _before: string | null, text: string | null): void {
    const { properties } = this.constructor as typeof SmallElement
    for (const [name, declaration] of Object.entries(properties))
      if (declaration.attribute === attribute) Reflect.set(this, name, declaration.parse?.(text ?? '') ?? text ?? '')
  }

  private update(): void {
    // Requested before the element was on the page: comes again when it is.
    if (this.isConnected) {
      this.willUpdate(this.changed)
      this.changed = new Set()
      render(this.render(), this.renderRoot)
      this.hasUpdated = true
    }
    this.pending = undefined
    if (this.isConnected) this.updated()
  }

  /** @param changed - Names of the properties that were set since the last update. */
  protected abstract willUpdate(changed: ReadonlySet<string>): void
  protected abstract render(): TemplateResult
  protected abstract updated(): void
}
