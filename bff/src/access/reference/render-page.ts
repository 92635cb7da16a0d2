import { html } from 'hono/html'
import { errorCodes } from '../../core/error-codes.ts'
import type { Schemas } from '../operation/openapi-examples.ts'
import { renderQuickstart } from './quickstart.ts'
import { addressOf, type Documented, renderCode, renderOperation } from './render-operation.ts'
import { fieldsOf, type Html, prose, renderFields } from './render-schema.ts'
import { type Task, tasks } from './tasks.ts'

type WebhookEvent = { type: string; summary: string; example: unknown }

/** The contents of the pages. */
export type Reference = { operations: readonly Documented[]; schemas: Schemas; events: readonly WebhookEvent[] }

/** Tasks that have operations, with these in the order of their tags. */
const tasksOf = (operations: readonly Documented[]) =>
  tasks
    .map((task) => ({
      task,
      own: task.tags.flatMap((tag) => operations.filter(({ operation }) => operation.tags?.[0] === tag)),
    }))
    .filter(({ own }) => own.length > 0)

const indexOf = (own: readonly Documented[], page = '') =>
  html`<ul class="index">${own.map(
    (
      one,
    ) => html`<li><a href="${page}#${one.operation.operationId ?? ''}"><span class="method ${one.method}">${one.method.toUpperCase()}</span>
<span>${prose(one.operation.summary ?? '')}<code class="path">${addressOf(one)}</code></span></a></li>`,
  )}</ul>`

/** All pages, by path. */
export function renderReference(reference: Reference): ReadonlyMap<string, string> {
  const groups = tasksOf(reference.operations)
  const links = [
    { href: '/docs', title: 'Quickstart' },
    ...groups.map(({ task }) => ({ href: `/docs/${task.slug}`, title: task.title })),
    { href: '/docs/objects', title: 'Objects' },
  ]
  const page = (href: string, title: string, body: Html) =>
    [href, String(renderPage(title, navigation(links, href), body))] as const
  return new Map([
    page('/docs', 'API', renderHome(groups)),
    ...groups.map(({ task, own }) => page(`/docs/${task.slug}`, task.title, renderTask(task, own, reference))),
    page('/docs/objects', 'Objects', renderObjects(reference.schemas)),
  ])
}

const navigation = (links: readonly { href: string; title: string }[], current: string): Html =>
  html`<nav aria-label="Reference"><ul>${links.map(
    ({ href, title }) =>
      html`<li><a href="${href}"${href === current ? html` aria-current="page"` : ''}>${title}</a></li>`,
  )}</ul></nav>`

const renderPage = (title: string, nav: Html, body: Html): Html => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} - stablecoin-checkout</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css"></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="/docs">stablecoin-checkout <span>API</span></a><a href="/api/openapi.json">OpenAPI 3.1</a></header>
<div class="frame">${nav}<main id="content" tabindex="-1">${body}</main></div></body></html>
`

function renderHome(groups: ReturnType<typeof tasksOf>): Html {
  return html`<h1>Accept USDC and USDT</h1>
<p class="lead">${prose('JSON over HTTPS, under `/api/v1`. Amounts are decimal text. Branch on `outcome` and `settlement`, never on `status`, which gets new values.')}</p>
${renderQuickstart()}
<section aria-labelledby="operations-title" id="operations"><h2 id="operations-title">Operations</h2>
${groups.map(({ task, own }) => html`<h3><a href="/docs/${task.slug}">${task.title}</a></h3>${indexOf(own, `/docs/${task.slug}`)}`)}</section>
<section aria-labelledby="errors-title" id="errors"><h2 id="errors-title">Errors</h2>
<p>${prose('A refusal is `{ "success": false, "error", "message", "code" }`: `message` names the field and the rule, `code` is for programs. The log of the service contains the `X-Request-Id` of each response. What to do for each `code`; new ones may be added:')}</p>
<dl class="fields">${Object.entries(errorCodes).map(
    ([code, { status, advice }]) =>
      html`<div><dt><span class="status">${status}</span> <code>${code}</code></dt><dd><p>${prose(advice)}</p></dd></div>`,
  )}</dl></section>`
}

function renderTask(task: Task, own: readonly Documented[], { schemas, events }: Reference): Html {
  return html`<h1>${task.title}</h1><p class="lead">${prose(task.lead)}</p>${indexOf(own)}
${own.map((one) => renderOperation(schemas, one))}
${task.slug === 'webhooks' && renderEvents(events)}`
}

const renderEvents = (
  events: readonly WebhookEvent[],
): Html => html`<section id="events" aria-labelledby="events-title">
<h2 id="events-title">Events</h2><p>${prose('`data` is the payment as `GET /payments/{paymentId}` returned it at that moment, with a growing `sequence`.')}</p>
${events.map(
  ({ type, summary, example }) => html`<details class="event"><summary><code>${type}</code> ${prose(summary)}</summary>
${renderCode(type, 'json', JSON.stringify(example, null, 2))}</details>`,
)}</section>`

function renderObjects(schemas: Schemas): Html {
  const names = Object.keys(schemas).sort()
  return html`<h1>Objects</h1><p class="lead">Fields of what operations take and return.</p>
<ul class="names">${names.map((name) => html`<li><a href="#${name}">${name}</a></li>`)}</ul>
${names.map((name) => {
  const fields = renderFields(fieldsOf(schemas, schemas[name] ?? {}), false)
  return html`<section id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title"><a href="#${name}">${name}</a></h2>${fields}</section>`
})}`
}
