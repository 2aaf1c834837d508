/**
 * Completion for PowerShell 5.1 and newer. It drops empty arguments of programs, so each word has a `=` in front. Words
 * with special characters are quoted.
 */
export const powershellScript = String.raw`# PowerShell completion for k8snet: k8snet completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName 'k8snet' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @()
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
            $words += '=' + $element.Value
        } else {
            $words += '=' + $element.Extent.Text
        }
    }
    $current = [string]$wordToComplete
    $words += '=' + $current
    $lines = @(k8snet __complete '--for=powershell' $words 2>$null)
    if ($lines.Count -eq 0 -or $lines[-1] -notmatch '^:\d+$') { return '' }
    $directive = [int]$lines[-1].Substring(1)
    $isAnything = $false
    foreach ($line in @($lines | Select-Object -SkipLast 1)) {
        $parts = $line -split "\t", 2
        $value = $parts[0]
        $note = $value
        if ($parts.Count -gt 1) { $note = $parts[1] }
        $text = $value
        if ($value -notmatch '^[A-Za-z0-9._:/+-][A-Za-z0-9._:/=+-]*$') { $text = "'" + $value.Replace("'", "''") + "'" }
        $isAnything = $true
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $note)
    }
    if (($directive -band 4) -eq 0) {
        $isAnything = $true
        $before = ''
        $path = $current
        if ($current -match '^(--[a-z-]+=)(.*)$') { $before = $Matches[1]; $path = $Matches[2] }
        foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($path)) {
            if (($directive -band 16) -ne 0 -and $file.ResultType -ne 'ProviderContainer') { continue }
            [System.Management.Automation.CompletionResult]::new($before + $file.CompletionText, $file.ListItemText, $file.ResultType, $file.ToolTip)
        }
    }
    if (-not $isAnything) { '' }
}
`;
