import { dot, lineY, plot, ruleY, text } from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import type { Measure, Point } from './fixtures.ts'
import type { Results } from './results.ts'

const width = 420
const height = 240

type Drawn = Point & { value: number; unit: string; label: string }

/** The file of a chart. */
export const chartFile = (chart: string): string => `${chart.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.svg`

/** The names of the charts that have a curve in these measures, in their order. */
export const chartNames = (measures: readonly Measure[]): string[] => [
  ...new Set(measures.flatMap(({ point }) => (point ? [point.chart] : []))),
]

/** Every chart as SVG, by its file: curves of one name are in one chart, whatever part has measured them. */
export function chartsOf(results: Results): Map<string, string> {
  const points = Object.values(results)
    .flatMap(({ measures }) => measures)
    .flatMap(({ point, value, unit }): Drawn[] => (point ? [{ ...point, value, unit, label: shown(value) }] : []))
  const names = [...new Set(points.map(({ chart }) => chart))]
  return new Map(
    names.map((name) => [
      chartFile(name),
      draw(
        name,
        points.filter(({ chart }) => chart === name),
      ),
    ]),
  )
}

const shown = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 })

function draw(name: string, points: readonly Drawn[]): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  const ofPayments = points.some(({ at }) => at > 100)
  const last = points.filter((one) => !points.some(({ series, at }) => series === one.series && at > one.at))
  const marks = { x: 'at', y: 'value', stroke: 'series' } as const
  const svg = plot({
    document: document as unknown as Document,
    width,
    height,
    marginRight: 90,
    marginLeft: 50,
    style: { background: 'white', color: 'black' },
    x: {
      type: ofPayments ? 'log' : 'point',
      label: ofPayments ? 'payments of the last week' : 'replicas',
      ...(ofPayments && { ticks: 3 }),
      tickFormat: (at: number) => at.toLocaleString('en'),
    },
    y: { label: `${name}, ${points[0]?.unit}`, zero: true, nice: true, grid: true },
    marks: [
      ruleY([0]),
      lineY(points, marks),
      dot(points, { ...marks, fill: 'series' }),
      text(points, { x: 'at', y: 'value', text: 'label', dy: -9 }),
      text(last, { x: 'at', y: 'value', text: 'series', fill: 'series', textAnchor: 'start', dx: 10 }),
    ],
  })
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  // Of a page in which a chart stands; a file needs a title instead.
  svg.querySelector('style')?.remove()
  const title = document.createElementNS('http://www.w3.org/2000/svg', 'title')
  title.textContent = name
  svg.prepend(title as unknown as Node)
  return `${svg.outerHTML}\n`
}
