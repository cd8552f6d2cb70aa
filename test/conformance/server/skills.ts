/** The skills of the server under test: one with a folder inside, one in a folder of its own. */
import type { SkillOptions } from '../../../src/index.ts'

export const skills: readonly SkillOptions[] = [
  {
    path: 'pdf-processing',
    files: {
      'SKILL.md': [
        '---',
        'name: pdf-processing',
        'description: Extract, fill and assemble PDF documents',
        'license: MIT',
        'metadata:',
        '  version: "1.0"',
        '---',
        '',
        '# PDF processing',
        '',
        'For forms, see [the reference](references/forms.md).',
        '',
      ].join('\n'),
      'references/forms.md': '# Forms\n\nEvery field has a name and a value.\n',
      'templates/invoice.txt': 'Invoice for {name}\n',
    },
  },
  {
    path: 'acme/billing/refunds',
    files: {
      'SKILL.md':
        '---\nname: refunds\ndescription: Pay back what was paid too much\n---\n\nAsk for the number of the invoice first.\n',
    },
  },
]
