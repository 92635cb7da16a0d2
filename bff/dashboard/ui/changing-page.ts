import '@awesome.me/webawesome/dist/components/callout/callout.js'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { faultCallout } from './fault-callout.ts'
import { Page } from './page.ts'

/** A page with actions: one at a time, with its result above. */
export abstract class ChangingPage<Data> extends Page<Data> {
  @state() protected isBusy = false
  @state() private refusal: unknown
  @state() private doneText = ''

  /**
   * Runs the action, shows its result, and reloads the page's data.
   * @returns whether it succeeded.
   */
  protected async change(work: () => Promise<unknown>, doneText = ''): Promise<boolean> {
    if (this.isBusy) return false
    this.isBusy = true
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

  protected renderResult(): unknown {
    if (this.refusal !== undefined) return faultCallout(this.refusal)
    return this.doneText === ''
      ? nothing
      : html`<wa-callout variant="success" role="status">${this.doneText}</wa-callout>`
  }
}
