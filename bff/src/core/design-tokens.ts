/**
 * The colours of dashboard, set-up page, hosted pages and API reference, each as `#rrggbb` for light and dark. The element has
 * the same defaults (`widget/src/styles/card.ts`), and `design-tokens.test.ts` compares them.
 */
export const colors = {
  text: ['#151922', '#f2f4f8'],
  muted: ['#59616f', '#a7adba'],
  /** The background behind cards. */
  page: ['#f4f5f8', '#0b0d11'],
  /** Cards, menus, fields. */
  surface: ['#ffffff', '#15171c'],
  /** Insets within a card: code, the row under the pointer. */
  raised: ['#f4f5f8', '#20232b'],
  border: ['#dde1e8', '#363b46'],
  /** Borders of fields and buttons, which need a contrast of their own (WCAG 1.4.11). */
  control: ['#858d9b', '#717a8a'],
  accent: ['#2b50c8', '#93adff'],
  'on-accent': ['#ffffff', '#0c1226'],
  'accent-quiet': ['#e9eefc', '#1d2743'],
  success: ['#0a7548', '#57cc96'],
  'success-quiet': ['#e1f5ea', '#10301f'],
  warning: ['#85560a', '#f2b950'],
  'warning-quiet': ['#fdf1d6', '#35290f'],
  danger: ['#b3261e', '#ff958a'],
  'danger-quiet': ['#fdeae8', '#3b1916'],
  /** Parts of a bar chart, in order. */
  'chart-1': ['#2b50c8', '#7f9dff'],
  'chart-2': ['#0e8a6d', '#3fc8a2'],
  'chart-3': ['#b26a00', '#e6a93c'],
  'chart-4': ['#8f4bb8', '#c490e4'],
  'chart-5': ['#c2376b', '#f28ab2'],
  'chart-6': ['#0a7ea4', '#4cc3ea'],
  'chart-7': ['#6d7a12', '#b9c64b'],
  'chart-8': ['#6b7382', '#8c94a3'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

export type ColorName = keyof typeof colors

/** Lengths in CSS pixels, or in `rem` where they follow the reader's font size. */
const sizes = {
  'radius-s': '6px',
  'radius-m': '10px',
  'radius-l': '16px',
  'space-1': '4px',
  'space-2': '8px',
  'space-3': '12px',
  'space-4': '16px',
  'space-5': '24px',
  'space-6': '32px',
  'text-s': '0.8125rem',
  'text-m': '0.9375rem',
  'text-l': '1.125rem',
  'text-xl': '1.5rem',
  'text-2xl': '2rem',
  font: 'system-ui,sans-serif',
  'font-code': 'ui-monospace,Menlo,Consolas,monospace',
  'shadow-s': '0 1px 2px #10182814',
  'shadow-m': '0 12px 32px -14px #10182840',
} as const

/** All tokens as CSS custom properties: `--color-text`, `--radius-s`. They follow `color-scheme`. */
export const tokenStyles = [
  ...Object.entries(colors).map(([name, [light, dark]]) => `--color-${name}:light-dark(${light},${dark})`),
  ...Object.entries(sizes).map(([name, value]) => `--${name}:${value}`),
].join(';')
