"""Sentences of guides to rich consoles: widgets, lists of values, files, conditions."""

import pytest

from appliance.documents import parse_document
from appliance.policy.literal import Intent, read_procedure


def said(intent: Intent) -> str:
    """An intent in a few words."""
    out = intent.kind.value
    if intent.label:
        out += f" {intent.label.text}"
    elif intent.thing and not intent.value:
        out += f" '{intent.thing}'"
    if intent.value:
        out += f" = {intent.value.text}"
    field = intent.place.field
    if field and (intent.label is None or field.text != intent.label.text):
        out += f" in {field.text}"
    if intent.place.section:
        out += f" under {intent.place.section.text}"
    if intent.place.row:
        out += f" of '{intent.place.row}'"
    return out + "?" * intent.is_optional + "??" * intent.is_conditional


def read(text: str) -> list[str]:
    """The intents of the second of two steps, without those that ask for nothing."""
    is_zh = any("\u4e00" <= c <= "\u9fff" for c in text)
    filler = "点击**甲**，然后点击**乙**。" if is_zh else "Click **A**, and then click **B**."
    document = parse_document(f"# Title\n\n1. {filler}\n2. {text}\n", "docs/a.md", "markdown")
    procedure = document.procedures[0]
    assert procedure.language == ("zh" if is_zh else "en")
    quiet = ("inform", "expect_open", "expect_text", "repeat")
    return [said(i) for i in read_procedure(procedure) if i.step[0] == "2" and i.kind not in quiet]


ENGLISH = [
    ("Leave **Zone** at **Zone A**, unless it is elsewhere.", ["expect_default Zone = Zone A"]),
    ("Leave **Full-text index** on.", ["expect_default Full-text index"]),
    ("Leave **Restore from snapshot** empty.", ["expect_default Restore from snapshot"]),
    (
        "Give the key a **Key name** and choose **Application** as its **Purpose**.",
        ["fill Key name", "choose = Application in Purpose"],
    ),
    (
        "Set **Maintenance day** to **Tuesday** and **Maintenance time** to `04:15`.",
        ["fill Maintenance day = Tuesday", "fill Maintenance time = 04:15"],
    ),
    (
        "Set **More than** to `25` lines and **Within** to **15 minutes**.",
        ["fill More than = 25", "fill Within = 15 minutes"],
    ),
    (
        "Click **Add tag**, enter `purpose` as the **Key** and `audit 2025` as the **Value**.",
        ["open Add tag", "fill Key = purpose", "fill Value = audit 2025"],
    ),
    ("Enter `30` in **Retention (days)**.", ["fill Retention (days) = 30"]),
    ("Set **Size** to 40 GiB.", ["fill Size = 40 GiB"]),
    ("Drag **Bandwidth** to `50`.", ["fill Bandwidth = 50"]),
    ("Move the **Keep for** slider to `180` days.", ["fill Keep for = 180"]),
    ("Drag the **Threshold** slider to 80 %.", ["fill Threshold = 80 %"]),
    ("Drag the slider to 50.", ["fill = 50"]),
    ("Set the time to 03:30.", ["fill = 03:30"]),
    (
        "Select **2026-12-01** as the **Expires on** date.",
        ["choose = 2026-12-01 in Expires on"],
    ),
    ("Copy both with the buttons beside them, then click **Close**.", ["open Close"]),
    (
        "Copy the private key into a file that only you can read, and click **Close**.",
        ["external", "open Close"],
    ),
    ("Fill in the dialog:", []),
    ("Fill in the **Add lifecycle rule** dialog:", []),
    (
        "Select the instance from the **Attached to** list.",
        ["choose 'instance' in Attached to"],
    ),
    (
        "Choose the log store from the **Log store** list.",
        ["choose 'log store' in Log store"],
    ),
    (
        "Under **File**, click the area with the dashed border and pick the file, or drag it in.",
        ["upload 'file' under File"],
    ),
    ("Upload the file `q3.csv`.", ["upload = q3.csv"]),
    ("Drag `cert.pem` to the **Certificate** area.", ["upload = cert.pem in Certificate"]),
    ("As **Role**, choose **Viewer**.", ["choose = Viewer in Role"]),
    ("As the **Name**, enter `abc`.", ["fill Name = abc"]),
    ("As soon as **Active** is shown, click **Next**.", ["open Next"]),
    (
        "In the **User** field, type a part of the user's name and select the user.",
        ["choose 'user' in User"],
    ),
    (
        "Type the name of the zone in the **Zone** field and select it.",
        ["choose 'name of zone' in Zone"],
    ),
    (
        "In the field **Database**, type the beginning of the name of the database and pick it "
        "from the list.",
        ["choose 'beginning of name of database' in Database"],
    ),
    (
        "Open **Products** > **DNS zones**, and then **Records** in the navigation.",
        ["open Products", "open DNS zones", "open Records"],
    ),
    (
        "Choose **Products** > **Buckets**, then **Lifecycle rules** on the left.",
        ["open Products", "open Buckets", "open Lifecycle rules"],
    ),
    (
        "Go to **Products** > **Databases**, and then to **Database accounts** on the left.",
        ["open Products", "open Databases", "open Database accounts"],
    ),
    (
        "Open **Products** > **Disks**, then **More** > **Edit tags** in the row of the disk.",
        ["open Products", "open Disks", "open More of 'disk'", "open Edit tags of 'disk'"],
    ),
    (
        "Have a look at the price beside the form, and click **Create now**.",
        ["open Create now"],
    ),
    ("Recommended: stop the instance, so that its data is on the disk.", []),
    ("Open the tab **Maintenance** and click **Change**.", ["open Maintenance", "open Change"]),
    (
        "In **Policy name**, enter a name of letters, digits and hyphens.",
        ["fill Policy name"],
    ),
    (
        "Replace the text in **Policy document** with `{}`.",
        ["fill Policy document = {}"],
    ),
    ("Select the network and the subnet.", ["pick 'network'", "pick 'subnet'"]),
    (
        "Select your **Network** and your **Subnet**, and click **Next**.",
        ["choose 'Network' in Network", "choose 'Subnet' in Subnet", "open Next"],
    ),
    (
        "Under **Days**, select **Monday** and **Thursday**.",
        ["choose = Monday in Days", "choose = Thursday in Days"],
    ),
    ("Tick **CPU**, **Memory** and **Disk**.", ["tick CPU", "tick Memory", "tick Disk"]),
    ("Click **Restart** at the top of the page.", ["open Restart"]),
    (
        "Select the check box of the database, click **Stop** above the list.",
        ["pick 'database'", "open Stop"],
    ),
    (
        "For somebody who stays for a limited time, enter the last day under **Valid until**.",
        ["fill Valid until??"],
    ),
    (
        "Type the user name into the **Delete user** dialog and click **Delete user**.",
        ["fill 'user name'", "open Delete user"],
    ),
    (
        "Select the group in the **Available** list, and click **Add** between the lists.",
        ["choose 'group' in Available", "open Add"],
    ),
    ("Add **web** to the **Selected** list.", ["choose = web in Selected"]),
    ("Move `web` to the **Selected** list.", ["choose = web in Selected"]),
    (
        "In the upper-right corner, select the region **Central (Frankfurt)**.",
        ["open Central (Frankfurt)"],
    ),
    ("Filter the list by **Status**.", ["fill Status"]),
    ("Expand **Advanced settings**.", ["open Advanced settings"]),
    ("Click the copy button next to the host name.", ["open copy of 'host name'"]),
    ("Repeat steps 2 to 4 for every disk.", []),
    (
        "If the window **Welcome** is in the way, close it with **Got it**.",
        ["open Got it??"],
    ),
    ("If the status of the disk is **In use**, click **Detach**.", ["open Detach??"]),
    (
        "Choose **Critical** as the **Severity** and select **Text message** in addition to "
        "**E-mail**, which is selected by default.",
        ["expect_default E-mail", "choose = Critical in Severity", "open Text message"],
    ),
    (
        "Open **Virtual networks**, and in the navigation on the left click **Addresses**.",
        ["open Virtual networks", "open Addresses"],
    ),
    (
        "Click **Add** and on the **Rules** tab, enter `80` in **Port**.",
        ["open Add", "open Rules", "fill Port = 80"],
    ),
    (
        "In **Network**, type the name of the net, and select it. Do the same for the **Subnet**.",
        ["choose 'name of net' in Network", "choose 'Subnet' in Subnet"],
    ),
    ("Do the same for the others.", []),
    (
        "Select **Next**, and then, after a look, **Create**.",
        ["open Next", "open Create"],
    ),
    (
        "Under **Targets**, select the instance, and select **Add**.",
        ["pick 'instance' under Targets", "open Add of 'instance'"],
    ),
    (
        "In the **Selected** list, select the instance, and select **Remove**.",
        ["choose 'instance' in Selected", "open Remove"],
    ),
    ("Select the name of the load balancer.", ["follow 'load balancer'"]),
    (
        "Replace the **Range** with `10.0.0.0/8`, so that only your own machines are answered.",
        ["fill Range = 10.0.0.0/8"],
    ),
    (
        "Set **Size** to `5`, because that is enough, and click **Save**.",
        ["fill Size = 5", "open Save"],
    ),
    ("*Recommended:* stop the instance, so that all its data is on the disk.", []),
    (
        "Select the alarm's check box under **A** > **Monitor** and click **Off** above the list.",
        ["open A", "open Monitor", "pick 'alarm'", "open Off"],
    ),
    (
        "Click **Column settings**, select **Contacts**, and close the dialog.",
        ["open Column settings", "open Contacts", "close 'dialog'"],
    ),
    ("On the **Rules** tab:", ["open Rules"]),
]


@pytest.mark.parametrize(("text", "intents"), ENGLISH, ids=[c[0][:60] for c in ENGLISH])
def test_an_english_sentence_is_read(text: str, intents: list[str]) -> None:
    assert read(text) == intents


CHINESE = [
    (
        "在顶部导航栏选择**产品** > **云数据库**，在左侧导航栏单击**数据库账号**。",
        ["open 产品", "open 云数据库", "open 数据库账号"],
    ),
    ("拖动滑块，将**保存时间**设置为`60`天。", ["fill 保存时间 = 60"]),
    ("将**带宽**滑块拖动到`50`。", ["fill 带宽 = 50"]),
    (
        "在**触发条件**步骤，选择**日志库**，输入**告警名称**，在**查询语句**中输入`status=500`，"
        "将**触发条数**设置为`50`，**统计周期**选择**1 小时**。",
        [
            "open 日志库",
            "fill 告警名称",
            "fill 查询语句 = status=500",
            "fill 触发条数 = 50",
            "choose = 1 小时 in 统计周期",
        ],
    ),
    (
        "**告警级别**选择**严重**，**通知方式**勾选**短信**，单击**下一步**。",
        ["choose = 严重 in 告警级别", "tick 短信 in 通知方式", "open 下一步"],
    ),
    (
        "在**主机记录**中输入`logs`，**记录类型**选择**CNAME**，在**记录值**中输入`a.example`。",
        ["fill 主机记录 = logs", "choose = CNAME in 记录类型", "fill 记录值 = a.example"],
    ),
    (
        "选择**产品** > **云解析**，单击域名。",
        ["open 产品", "open 云解析", "follow '域名'"],
    ),
    (
        "在**权限策略**中勾选需要授予的策略，然后单击**确定**。",
        ["choose '授予的策略' in 权限策略", "open 确定"],
    ),
    (
        "在**可选**列表中选择用户组，单击**添加**，将其移动到**已选**列表。",
        ["choose '用户组' in 可选", "open 添加"],
    ),
    (
        "在**文件**区域，单击虚线框选择本地文件，或将文件拖拽至虚线框内。",
        ["upload 文件 under 文件"],
    ),
    ("上传文件`q3.csv`。", ["upload = q3.csv"]),
    ("确认配置和费用后，单击**立即创建**。", ["open 立即创建"]),
    (
        "在**网络连接**步骤，选择**虚拟网络**和**子网**，单击**下一步**。",
        ["open 虚拟网络", "open 子网", "open 下一步"],
    ),
    ("勾选**CPU**和**内存**。", ["tick CPU", "tick 内存"]),
    ("在页面右上角，将地域切换为**华东（上海）**。", ["open 华东（上海）"]),
    ("将**web**添加到**已选**列表。", ["choose = web in 已选"]),
    ("单击主机名旁的复制按钮。", ["open 复制 of '主机名'"]),
    ("展开**高级设置**。", ["open 高级设置"]),
    ("如果磁盘已挂载，单击**卸载**。", ["open 卸载??"]),
    ("将开始时间设置为03:30。", ["fill = 03:30"]),
]


@pytest.mark.parametrize(("text", "intents"), CHINESE, ids=[c[0][:40] for c in CHINESE])
def test_a_chinese_sentence_is_read(text: str, intents: list[str]) -> None:
    assert read(text) == intents


def plan_of(text: str) -> list[str]:
    document = parse_document(text, "docs/a.md", "markdown")
    return [said(i) for i in read_procedure(document.procedures[0]) if i.kind != "inform"]


def test_a_code_block_is_what_is_pasted() -> None:
    assert plan_of(
        "# T\n\n1. Click **A**.\n2. Paste the following into **Policy document**:\n\n   ```json\n"
        '   {"a": 1}\n'
        "   ```\n\n3. Click **Save**.\n"
    ) == ["open A", 'fill Policy document = {"a": 1}', "open Save"]


def test_commands_are_still_run_elsewhere() -> None:
    plan = plan_of(
        "# T\n\n1. Click **A**.\n2. Enter these commands:\n\n   ```console\n   ls\n   ```\n"
    )
    assert "fill" not in " ".join(plan)


def test_a_file_is_chosen_once() -> None:
    assert plan_of(
        "# T\n\n1. Click **A**.\n2. Choose the file:\n\n   1. Under **File**, pick the file.\n"
        "   2. In **Object name**, enter `a`.\n"
    ) == ["open A", "upload 'file' under File", "fill Object name = a"]


def test_a_claim_after_a_semicolon_is_read() -> None:
    text = "# T\n\n1. Click **A**.\n2. Click **Save**; a message says **All saved**.\n"
    assert plan_of(text)[-2:] == ["open Save", "expect_text All saved"]


def test_what_only_introduces_a_list_of_fields_fills_nothing() -> None:
    assert plan_of(
        "# T\n\n1. Click **A**.\n2. Enter the name and the address:\n\n"
        "   **Contact name**\n   : Who is told.\n\n   **Address**\n   : Where it goes.\n"
    ) == ["open A", "field Contact name", "field Address"]


def test_a_part_of_a_form_is_gone_to() -> None:
    text = "# T\n\n1. Click **A**.\n2. In the **Network** step:\n\n   1. Click **Next**.\n"
    assert plan_of(text) == ["open A", "expect_open Network", "open Next"]
