export function sectionOf(text: string, sources?: Record<string, string>): string
export function storedSection(text: string): string
export function readPage(): string
export function partsSectionOf(text: string, sources?: Record<string, string>): string
export function storedParts(text: string): string
