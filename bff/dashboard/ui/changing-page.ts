import '@awesome.me/webawesome/dist/components/callout/callout.js'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { faultCallout } from './fault-callout.ts'
import { Page } from './page.ts'

/** A page with actions: one at a time, with its result where the action was. */
export abstract class ChangingPage<Data> extends Page<Data> {
  @state() protected isBusy = false
  @state() private refusal: unknown
  @state() private doneText = ''
  /** Where the last action was: a section of the page, or a row of a list. */
  @state() private place = ''

  /**
   * Runs the action, shows its result at the place, and reloads the page's data.
   * @returns whether it succeeded.
   */
  protected async change(place: string, work: () => Promise<unknown>, doneText = ''): Promise<boolean> {
    if (this.isBusy) return false
    this.isBusy = true
    this.place = place
    this.refusal = undefined
    this.doneText = ''
    try {
      await work()
      this.doneText = doneText
      await this.reload()
      return true
    } catch (refusal) {
      this.refusal = refusal
      return false
    } finally {
      this.isBusy = false
    }
  }

  /** Render this once at the place of every action, so that the result is beside its button on a long page. */
  protected renderResult(place: string): unknown {
    if (place !== this.place) return nothing
    if (this.refusal !== undefined) return faultCallout(this.refusal)
    return this.doneText === ''
      ? nothing
      : html`<wa-callout variant="success" role="status">${this.doneText}</wa-callout>`
  }
}
