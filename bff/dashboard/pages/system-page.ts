import '@awesome.me/webawesome/dist/components/button/button.js'
import { html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { DoctorReport, SystemState } from '../../src/api-types.ts'
import { request } from '../api/client.ts'
import { loadFindingTexts, tFinding } from '../locales/finding-texts.ts'
import { t } from '../locales/locale.ts'
import { type Cured, curedEvent } from '../parts/cure-button.ts'
import { commandOf, foldedCommand, renderReport } from '../parts/finding-list.ts'
import '../ui/copy-button.ts'
import { cutText } from '../ui/cut-text.ts'
import { faultCallout } from '../ui/fault-callout.ts'
import { formatCoins, formatCount, formatRelative, formatSeconds, formatTime } from '../ui/format.ts'
import { Page } from '../ui/page.ts'
import { technicalDetails } from '../ui/technical-details.ts'

type Network = SystemState['networks'][number]

/** @summary The service's health, for its owner. */
@customElement('system-page')
export class SystemPage extends Page<SystemState> {
  @state() private report: DoctorReport | null = null
  @state() private isExamining = false
  @state() private refusal: unknown

  constructor() {
    super()
    this.addEventListener(curedEvent, () => void this.reload())
  }

  protected heading(): string {
    return t('page.system')
  }

  protected async load(signal: AbortSignal): Promise<SystemState> {
    const [system] = await Promise.all([request<SystemState>('system', { signal }), loadFindingTexts()])
    return system
  }

  protected override renderActions(): unknown {
    return html`
      <wa-button appearance="outlined" size="s" @click=${() => this.reload()}>${t('system.refresh')}</wa-button>
    `
  }

  private async examine(): Promise<void> {
    this.isExamining = true
    this.refusal = undefined
    try {
      this.report = await request<DoctorReport>('system/doctor', { method: 'POST' })
    } catch (fault) {
      this.refusal = fault
    }
    this.isExamining = false
  }

  protected renderData(system: SystemState): unknown {
    const { version, ready, reasonCodes, database, backup } = system
    return html`
      <section class="card">
        <h2>${ready ? t('system.ready') : t('system.notReady')}</h2>
        ${reasonCodes.map((code) => html`<p>${tFinding(`ready.${code}`) ?? code}</p>`)}
        <dl>
          <dt>${t('system.version')}</dt>
          <dd>${version}</dd>
          <dt>${t('system.database')}</dt>
          <dd>${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</dd>
          <dt>${t('system.backup')}</dt>
          <dd>
            ${
              backup
                ? formatRelative(backup.madeAt, Date.parse(backup.madeAt) + backup.ageSeconds * 1000)
                : database === 'sqlite'
                  ? t('system.noBackup')
                  : t('system.backupElsewhere')
            }
          </dd>
        </dl>
      </section>
      <div class="grid">${system.networks.map(renderNetwork)}</div>
      ${renderQueues(system)} ${system.replicas.length === 0 ? nothing : renderReplicas(system.replicas)}
      <section class="card">
        <h2>${t('system.doctor')}</h2>
        <p class="quiet small">${t('system.doctorNote')}</p>
        <div>
          <wa-button variant="brand" ?disabled=${this.isExamining} ?loading=${this.isExamining} @click=${this.examine}>
            ${this.report ? tFinding('doctor.again') : t('system.runDoctor')}
          </wa-button>
        </div>
        ${this.refusal === undefined ? nothing : faultCallout(this.refusal)}
        <div role="status">${this.report ? renderReport(this.report) : nothing}</div>
      </section>
    `
  }
}

function renderNetwork({
  network,
  name,
  payable,
  reason,
  contractsMissing,
  block,
  lagSeconds,
  watched,
  nodes,
  gas,
}: Network) {
  return html`
    <section class="card">
      <h2>${name}</h2>
      <p>${payable ? t('system.payable') : t('system.notPayable')} ${payable || contractsMissing ? nothing : t(reasonOf({ watched, nodes }))}</p>
      ${contractsMissing ? renderDeploy(network) : nothing} ${reason ? technicalDetails(reason) : nothing}
      <dl>
        <dt>${t('system.block')}</dt>
        <dd class="number">${block === null ? t('system.unknown') : formatCount(block)}</dd>
        <dt>${t('system.lag')}</dt>
        <dd>${lagSeconds === null ? t('system.unknown') : formatSeconds(lagSeconds)}</dd>
        <dt>${t('system.watched')}</dt>
        <dd>${watched ? t('system.yes') : t('system.no')}</dd>
        ${
          gas
            ? html`
              <dt>${t('system.gas')}</dt>
              <dd>
                ${t(`system.gas.${gas.state}`)}: ${formatCoins(gas.balance, gas.currency)}
                <div class="copied small"><code>${cutText(gas.address, 16)}</code><copy-text text=${gas.address} label=${t('system.gas')}></copy-text></div>
              </dd>
            `
            : nothing
        }
        ${shownNodes(nodes).map(
          (node) => html`
            <dt>${renderHost(node.host)}${node.replica === null ? nothing : html`<div class="small quiet">${node.replica}</div>`}</dt>
            <dd>
              ${t(`system.node.${node.state}`)}
              ${node.until ? html`<div class="small quiet">${t('system.until', formatTime(node.until))}</div>` : nothing}
              ${node.reason ? technicalDetails(node.reason) : nothing}
            </dd>
          `,
        )}
      </dl>
    </section>
  `
}

/** A line ends before the port, never within it. */
function renderHost(host: string) {
  const [, name = host, port = ''] = /^(.*)(:\d+)$/.exec(host) ?? []
  return html`<bdi dir="ltr">${name}${port === '' ? nothing : html`<wbr /><span class="number">${port}</span>`}</bdi>`
}

/** Why nothing can be paid on a network, as far as its nodes and processes show; the checks find other reasons. */
function reasonOf({ watched, nodes }: Pick<Network, 'watched' | 'nodes'>) {
  if (nodes.every(({ state }) => state !== 'ok')) return 'system.reason.nodes'
  return watched ? 'system.reason.other' : 'system.reason.unwatched'
}

/** For owners who left the set-up page before its contracts were deployed. */
function renderDeploy(network: string) {
  const cured: Cured = { network, does: 'deploy' }
  return html`
    <p>${t('system.deploy')}</p>
    <cure-button .cured=${cured}></cure-button>
    ${foldedCommand(commandOf(`deploy ${network} --as-operator`))}
  `
}

/** Shown once if all replicas agree on a node. */
function shownNodes(nodes: Network['nodes']): Network['nodes'] {
  const isSeenAlike = ({ name, state, reason }: Network['nodes'][number]) =>
    nodes.every((other) => other.name !== name || (other.state === state && other.reason === reason))
  const shown = nodes.map((node) => (isSeenAlike(node) ? { ...node, replica: null } : node))
  return shown.filter(
    ({ name, replica }, index) => replica !== null || shown.findIndex((one) => one.name === name) === index,
  )
}

function renderQueues({ queues, networks }: SystemState) {
  const nameOf = (shortName: string) => networks.find(({ network }) => network === shortName)?.name ?? shortName
  return html`
    <section class="card">
      <h2>${t('system.queues')}</h2>
      <div class="scroll" role="region" aria-label=${t('system.queues')} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${t('system.queue')}</th>
              <th scope="col">${t('agents.networks')}</th>
              <th scope="col" class="end">${t('system.count')}</th>
              <th scope="col" class="end">${t('system.failing')}</th>
              <th scope="col" class="end">${t('system.oldest')}</th>
            </tr>
          </thead>
          <tbody>
            ${queues.map(
              ({ name, network, count, failing, oldestSeconds }) => html`
                <tr>
                  <td>${renderQueueName(name, failing)}</td>
                  <td>${network === null ? t('ops.all') : nameOf(network)}</td>
                  <td class="end number">${formatCount(count)}</td>
                  <td class="end number">${formatCount(failing)}</td>
                  <td class="end number">${oldestSeconds === null ? '' : formatSeconds(oldestSeconds)}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      ${networks.map((network) => renderWaiting(network, queues))}
    </section>
  `
}

/** The payouts that an owner can send now: failed ones, and those that wait for cheaper gas. */
function renderWaiting({ network, name }: Network, queues: SystemState['queues']) {
  const ofNetwork = queues.filter((queue) => queue.network === network)
  const sum = (field: 'failing' | 'deferred') => ofNetwork.reduce((total, queue) => total + queue[field], 0)
  const waiting = [
    { text: 'cure.failed', count: sum('failing'), does: 'retry' },
    { text: 'cure.deferred', count: sum('deferred'), does: 'send' },
  ] as const
  return waiting.map(({ text, count, does }) => {
    const cured: Cured = { network, does }
    return count === 0
      ? nothing
      : html`
        <div class="stack">
          <p>${tFinding(text, [name, formatCount(count)])}</p>
          <cure-button .cured=${cured}></cure-button>
        </div>
      `
  })
}

/** The page for the failed items of each queue. */
const failedAt: Partial<Record<SystemState['queues'][number]['name'], string>> = {
  sweeps: '/dashboard/payments?attention=payout_failed',
  refunds: '/dashboard/payments?attention=refund_failed',
  returns: '/dashboard/payments?attention=return_failed',
}

function renderQueueName(name: SystemState['queues'][number]['name'], failing: number) {
  const text = t(`system.queue.${name}`)
  const page = name === 'webhooks' ? '/dashboard/webhooks' : failing > 0 ? failedAt[name] : undefined
  return page === undefined ? text : html`<a href=${page}>${text}</a>`
}

function renderReplicas(replicas: SystemState['replicas']) {
  return html`
    <section class="card">
      <h2>${t('system.replicas')}</h2>
      <dl>
        ${replicas.map(
          ({ id, host, version, silentSeconds, leases }) => html`
            <dt>${host} · ${id.slice(0, 8)} · ${version}</dt>
            <dd>
              ${t('system.seen', formatSeconds(silentSeconds))}
              ${leases.length === 0 ? nothing : html`<div class="small quiet">${leases.join(', ')}</div>`}
            </dd>
          `,
        )}
      </dl>
    </section>
  `
}
