/**
 * The first of all modules to run: what the document names for this page, and the browser has asked for already, is read
 * while the others run.
 */
import { askAhead } from './api/request.ts'

for (const link of document.querySelectorAll('link[rel=preload][as=fetch]')) askAhead(link.getAttribute('href') ?? '')
