import { t } from '../locales/locale.ts'

/** The author of a change: a person's name, or the command line, which the service names in English, in the reader's language. */
export const doerName = (name: string): string => (name === 'command line' ? t('people.commandLine') : name)
