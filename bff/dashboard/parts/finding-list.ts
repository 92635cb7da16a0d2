import '@awesome.me/webawesome/dist/components/badge/badge.js'
import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import type { DoctorReport } from '../../src/api-types.ts'
import { tFinding } from '../locales/finding-texts.ts'
import { t } from '../locales/locale.ts'
import { formatCount, formatTime } from '../ui/format.ts'
import './cure-button.ts'
import { type Cure, cureOf } from './finding-cures.ts'
import '../ui/copy-button.ts'

type Finding = DoctorReport['findings'][number]

/** A command of the program, as it is typed on the server. */
export const commandOf = (command: string): string => `stablecoin-checkout ${command}`

/** The problems, each with its fix; passed checks are folded away. */
export function renderReport({ at, findings }: DoctorReport) {
  const passed = findings.filter(({ state }) => state === 'good')
  const problems = [
    ...findings.filter(({ state }) => state === 'bad'),
    ...findings.filter(({ state }) => state === 'warning'),
  ]
  return html`
    <div class="stack">
      <p>
        <strong>
          ${
            problems.length === 0
              ? tFinding('doctor.allGood')
              : tFinding('doctor.problems', [formatCount(problems.length)])
          }
        </strong>
        <span class="quiet small">${tFinding('doctor.checkedAt', [formatTime(at)])}</span>
      </p>
      ${problems.map(renderProblem)}
      ${
        passed.length === 0
          ? nothing
          : html`
            <details>
              <summary>${tFinding('doctor.passed', [formatCount(passed.length)])}</summary>
              <dl>
                ${passed.map((one) => html`<dt>${placeOf(one)}</dt><dd>${sentenceOf(one)}</dd>`)}
              </dl>
            </details>
          `
      }
    </div>
  `
}

function renderProblem(finding: Finding) {
  const { state, values } = finding
  const cure = cureOf(finding.code)
  return html`
    <article class="card">
      <h3 class="row">
        <wa-badge variant=${state === 'bad' ? 'danger' : 'warning'} appearance="filled-outlined">
          ${t(state === 'bad' ? 'system.finding.bad' : 'system.finding.warning')}
        </wa-badge>
        <bdi>${sentenceOf(finding)}</bdi>
      </h3>
      <p class="small quiet"><bdi>${placeOf(finding)}</bdi></p>
      ${
        cure === undefined
          ? html`<p lang="en">${finding.fix}</p>`
          : html`<p><strong>${t('system.fix')}</strong> ${tFinding(cure.fix, values)}</p> ${renderMeans(cure, finding)}`
      }
    </article>
  `
}

/** The page, command or address that fixes the problem. */
function renderMeans({ page, button, command, shell, copied }: Cure, finding: Finding) {
  const line = command ? commandOf(command(finding)) : shell?.(finding)
  const address = copied?.(finding)
  return html`
    ${button === undefined ? nothing : html`<cure-button .cured=${button(finding)}></cure-button>`}
    ${
      page === undefined
        ? nothing
        : html`
          <div>
            <wa-button size="s" appearance="outlined" href="/dashboard/${page}">${t(page === 'wallets' ? 'wallets.title' : `page.${page}`)}</wa-button>
          </div>
        `
    }
    ${line === undefined ? nothing : button ? foldedCommand(line) : renderCommand(line)}
    ${
      address
        ? html`
          <div class="copied">
            <code>${address}</code>
            <copy-text .text=${address} .label=${address}></copy-text>
          </div>
        `
        : nothing
    }
  `
}

const lineToCopy = (line: string) => html`
  <pre tabindex="0">${line}</pre>
  <div class="row"><copy-text .text=${line} .label=${line}></copy-text></div>
`

const renderCommand = (line: string) =>
  html`<p class="small quiet">${tFinding('doctor.command')}</p>${lineToCopy(line)}`

/** The command that does the same as a button. */
export const foldedCommand = (line: string) => html`
  <details><summary>${tFinding('doctor.command')}</summary>${lineToCopy(line)}</details>
`

/** The subject of the finding: a name, or a place in the reader's language. */
const placeOf = ({ place, subject }: Finding): string =>
  (place && tFinding(`place.${place.code}`, place.values)) ?? subject

/** Numbers of blocks and payouts are long. */
const readable = (value: string): string => (/^\d{4,15}$/.test(value) ? formatCount(Number(value)) : value)

/** English if the finding is unknown to this page. */
const sentenceOf = ({ code, values, says }: Finding): string => tFinding(code, values.map(readable)) ?? says
