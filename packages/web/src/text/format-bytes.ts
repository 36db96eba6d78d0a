import { sizeWords } from '@tidemark/wire/text/size-words'
import { unbroken } from './unbroken.ts'

export function formatBytes(bytes: number): string {
  return unbroken(sizeWords(bytes))
}
