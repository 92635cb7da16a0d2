type Addresses = { storefront: string; dashboard: string; service: string; paymentLink: string; statePath: string }

/** All that the demo writes to standard output: five lines. Progress and warnings go to standard error. */
export function welcome({ storefront, dashboard, service, paymentLink, statePath }: Addresses): string {
  return `Shop          ${storefront}
Dashboard     ${dashboard}
API           ${service}/docs
Payment link  ${paymentLink}
Ctrl-C stops everything. Keys, ids and ports: ${statePath}
`
}

const clearLine = '\r\u001b[K'

type Output = { isTTY?: boolean; write(text: string): unknown }

/** Writes to standard error. On a terminal the next text replaces a line of progress; in a file the line stays. */
export function openProgress(output: Output = process.stderr) {
  let isShown = false
  const clear = () => {
    if (isShown) output.write(clearLine)
    isShown = false
  }
  return {
    clear,
    /** Shows the current step. */
    step(text: string): void {
      clear()
      output.write(output.isTTY ? text : `${text}\n`)
      isShown = output.isTTY === true
    },
    /** Writes a text that stays. */
    say(text: string): void {
      clear()
      output.write(`${text}\n`)
    },
  }
}
