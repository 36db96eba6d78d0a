/**
 * Which frames of a stack are of libraries and runtimes, by where their file is or, where there is none, by what was
 * called. The service knows each language; the dashboard folds lines as they were logged.
 */
const PATHS =
  /(?:^|[/\\])(?:node_modules[/\\]|\.pnpm|\.yarn|bower_components|site-packages|dist-packages|lib[/\\]python|Lib[/\\]asyncio|pkg[/\\]mod|vendor[/\\]|usr[/\\]local[/\\]go|usr[/\\]lib[/\\]go|go[/\\]src[/\\]runtime|libexec[/\\]src|gems[/\\]|lib[/\\]ruby|\.rbenv|\.rvm|rustc[/\\]|\.cargo[/\\](?:registry|git)|\.rustup|webpack[/\\](?:bootstrap|runtime))/

export function isThirdPartyPath(file: string): boolean {
  return PATHS.test(file)
}

/** What Node and browsers write where there is no file. */
const RUNTIME = /^(?:<|\[|native|index |node:|internal\/|webpack\/)/

export function isRuntimeFile(file: string): boolean {
  return RUNTIME.test(file)
}

const JVM =
  /^(?:java|javax|jakarta|kotlin|kotlinx|scala|groovy|clojure|sun|jdk|com\.sun|android|androidx|dalvik|org\.(?:springframework|hibernate|apache|eclipse|junit|jboss|aspectj|codehaus|slf4j|mockito|gradle|postgresql|h2|xml|w3c)|com\.(?:google\.common|google\.inject|fasterxml|mysql|zaxxer|mongodb|rabbitmq|squareup|netflix|android|intellij)|io\.(?:netty|micronaut|quarkus|vertx|grpc|ktor|reactivex|undertow|micrometer|opentelemetry|lettuce)|ch\.qos|reactor|rx|feign|okhttp3|retrofit2|redis\.clients|oracle|akka|play|net\.bytebuddy|net\.sf\.cglib)\./

/** Of a whole name: package, class and method. */
export function isJvmLibrary(name: string): boolean {
  return JVM.test(name)
}

const DOTNET =
  /^(?:System|Microsoft|Mono|Newtonsoft|Npgsql|MySql|MySqlConnector|StackExchange|Dapper|MediatR|Serilog|NLog|Polly|Grpc|Xunit|NUnit|Castle|Autofac|AutoMapper|lambda_method)(?:[.\d]|$)/

export function isDotnetLibrary(name: string): boolean {
  return DOTNET.test(name)
}

/** `at module/pkg.Class.method(`: JavaScript has a space before the bracket. */
const CALLED = /^\s*at (?:[^\s(]*\/)?([^\s(]+)\(/
/** `at name (file:1:2)`, `at file:1:2` and `File "file", line 1`. */
const PLACE = /^\s*(?:at (?:.*\()?|File ")([^()"]*)/

export function isThirdPartyLine(line: string): boolean {
  const called = CALLED.exec(line)?.[1]
  if (called !== undefined && (isJvmLibrary(called) || isDotnetLibrary(called))) return true
  // A path may also begin after one of these.
  return isRuntimeFile(PLACE.exec(line)?.[1] ?? '') || isThirdPartyPath(line.replace(/[\s("'@]/g, '/'))
}
