import { type nothing, render, type TemplateResult } from 'lit/html.js'

/** What is told when the element enters and leaves the page, as in Lit. */
export type Controller = { hostConnected?(): void; hostDisconnected?(): void }

/** What a controller may ask of its element, as in Lit. */
export type ControllerHost = EventTarget & { addController(controller: Controller): void; requestUpdate(): void }

/** A property is set by the attribute of its name in kebab case (`orderId`, `order-id`), unless it says `false`. */
type Declarations = Record<string, { attribute?: false; parse?: (text: string) => unknown }>

const attributeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

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
          // The first value is the one that the element is made with.
          if (name in this.values) this.changed.add(name)
          else this.defaults[name] = value
          this.values[name] = value
          this.requestUpdate()
        },
      })
    const names = Object.keys(type.properties)
    type.observedAttributes = names
      .filter((name) => type.properties[name]?.attribute !== false)
      .map(attributeOf)
      .concat('lang')
    customElements.define(tag, type)
  }

  readonly renderRoot = this.attachShadow({ mode: 'open' })
  private hasUpdated = false
  private readonly controllers: Controller[] = []
  private readonly values: Record<string, unknown> = {}
  private readonly defaults: Record<string, unknown> = {}
  private readonly early: Record<string, unknown> = {}
  private readonly changed = new Set<string>()
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
    // Also for `lang`, which is every element's own.
    this.requestUpdate()
    const { properties } = this.constructor as typeof SmallElement
    for (const [name, declaration] of Object.entries(properties))
      if (attributeOf(name) === attribute)
        Reflect.set(this, name, text === null ? this.defaults[name] : (declaration.parse ?? String)(text))
  }

  private update(): void {
    // Requested before the element was on the page: comes again when it is.
    if (this.isConnected) {
      const { properties } = this.constructor as typeof SmallElement
      const told = [...this.changed].filter((name) => properties[name]?.attribute !== false)
      this.reflect(told)
      this.willUpdate(!this.hasUpdated || told.length > 0)
      this.changed.clear()
      render(this.render(), this.renderRoot)
      this.hasUpdated = true
    }
    this.pending = undefined
    if (this.isConnected) this.updated()
  }

  /** Styles and scripts of the page see in the attributes what was set as properties; an object stays one. */
  private reflect(names: string[]): void {
    for (const name of names) {
      const value = this.values[name]
      if (value === this.defaults[name]) this.removeAttribute(attributeOf(name))
      else if (typeof value === 'string') this.setAttribute(attributeOf(name), value)
    }
  }

  /** @param isTold - It is the first update, or the page has set something since the last one. */
  protected abstract willUpdate(isTold: boolean): void
  protected abstract render(): TemplateResult | typeof nothing
  protected abstract updated(): void
}
