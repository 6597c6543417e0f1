import tseslint from 'typescript-eslint';

const oneWay = (files, forbidden, message, ignores = []) => ({
  files,
  ignores,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: forbidden, message }] }] },
});

export default tseslint.config(
  { ignores: ['**/dist/', '.bench/', 'node_modules/', 'data/', 'eslint.config.js'] },
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
  // Imports run one way: gateway -> actors -> src, and src/domain stands on zod alone. The composition root, src/main/, is
  // above all of them: it puts them together, and nothing imports it.
  oneWay(['src/domain/**'], '^(?!zod$|\\./)', 'src/domain is pure: it imports zod and itself.'),
  oneWay(['src/domain/*/**'], '^(?!zod$|\\./|\\.\\./[^.])', 'src/domain is pure: it imports zod and itself.'),
  oneWay(['src/**'], '(^|/)(actors|gateway|main)/', 'src must not import actors, gateway or the composition root.', [
    'src/domain/**',
    'src/main/**',
  ]),
  oneWay(['actors/**'], '(^|/)(gateway|src/main)/', 'actors must not import the gateway or the composition root.'),
  oneWay(
    ['gateway/**'],
    '(^nact$|(^|/)(lmdb|store/lmdb)(/|$)|(^|/)(actors|src/main)/)',
    'The gateway knows the service interface (src/service.ts), no actor and no store adapter.',
  ),
  // Plain JavaScript that runs before anything is built has no types to check.
  { files: ['scripts/**', 'deploy/**'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
