import tseslint from 'typescript-eslint';

const oneWay = (files, forbidden, message, ignores = []) => ({
  files,
  ignores,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: forbidden, message }] }] },
});

export default tseslint.config(
  // the last one runs with packages that are no dependencies
  { ignores: ['**/dist/', '.bench/', 'node_modules/', 'data/', 'eslint.config.js', 'bench/restate.mjs'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      'one-var': ['error', 'never'],
      'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }],
    },
  },
  // Imports run one way: gateway -> actors -> src, and src/domain stands on zod alone. In gateway/, the composition root (main/),
  // the command line (cli/) and the operators' actions (admin/) put everything together, and nothing else imports them.
  oneWay(['src/domain/**'], '^(?!zod$|\\./)', 'src/domain is pure: it imports zod and itself.'),
  oneWay(['src/domain/*/**'], '^(?!zod$|\\./|\\.\\./[^.])', 'src/domain is pure: it imports zod and itself.'),
  oneWay(['src/**'], '(^|/)(actors|gateway)/', 'src must not import actors or gateway.', ['src/domain/**']),
  oneWay(['actors/**'], '(^|/)gateway/', 'actors must not import the gateway.'),
  oneWay(
    ['gateway/**'],
    '(^nact$|(^|/)(lmdb|store/lmdb)(/|$)|(^|/)(actors|main|cli|admin)/)',
    'The gateway knows commands (src/commands) and the service interface (src/service.ts), no actor and no store adapter.',
    ['gateway/main/**', 'gateway/cli/**', 'gateway/admin/**'],
  ),
  // Plain JavaScript that runs before anything is built has no types to check.
  { files: ['scripts/**', 'deploy/**'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['test/**', 'bench/**', 'kits/**'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
