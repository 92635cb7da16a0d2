// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TestUSDC} from "devnet/TestUSDC.sol";
import {TestUSDT} from "devnet/TestUSDT.sol";
import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {PaymentDetails} from "../src/PaymentDetails.sol";
import {ForgeTest} from "./ForgeTest.sol";
import {SplitterTest} from "./SplitterTest.sol";

/// @dev Everything that can happen to a few payments, in any order and by any door, with a customer whose approval is
/// unlimited and who never pays. After each step it checks that the step was allowed; a check that fails fails the run.
contract SplitterLife is ForgeTest {
    uint256 public constant COUNT = 6;
    uint256 private constant KEY = 0xC0FFEE;

    IPaymentSplitter private immutable SPLITTER;
    TestUSDC private immutable USDC;
    TestUSDT private immutable USDT;
    address public immutable PAYER = vm.addr(KEY);
    address public immutable VICTIM = address(0x71C7);

    address[3] public recipients = [address(0xA11CE), address(0xB0B), address(0x7417D)];
    /// @dev By what USDC and USDT payments took from the payer, and by recipient, before any fee of the token.
    mapping(address token => uint256) public spent;
    mapping(address token => mapping(address recipient => uint256)) public shares;
    bool[COUNT] public isPaid;

    constructor(IPaymentSplitter splitter, TestUSDC usdc, TestUSDT usdt) {
        (SPLITTER, USDC, USDT) = (splitter, usdc, usdt);
        for (uint256 i = 0; i < 2; ++i) {
            address token = i == 0 ? address(usdc) : address(usdt);
            TestUSDC(token).mint(PAYER, 1e12);
            TestUSDC(token).mint(VICTIM, 1e12);
        }
    }

    function detailsAt(uint256 i) public view returns (PaymentDetails memory) {
        return PaymentDetails({
            token: i % 2 == 0 ? address(USDC) : address(USDT),
            amount: 1e6 + 1_234_567 * i,
            paymentId: i % 3 == 0 ? "one" : "two",
            recipient1: recipients[0],
            recipient2: recipients[1],
            recipient3: recipients[2],
            recipient1Percentage: BPS - 333 * i - 17,
            recipient2Percentage: 333 * i,
            recipient3Percentage: 17
        });
    }

    function pay(uint256 i, bool isBefore) external {
        i %= COUNT;
        PaymentDetails memory details = detailsAt(i);
        _approve(details);
        uint256 before = IERC20(details.token).balanceOf(PAYER);
        bool canBePaid = _canBePaid(i);
        vm.prank(PAYER);
        (bool isDone,) = address(SPLITTER)
            .call(
                isBefore
                    ? abi.encodeCall(SPLITTER.splitPaymentBefore, (details, block.timestamp))
                    : abi.encodeCall(SPLITTER.splitPayment, (details))
            );
        _note(i, isDone, canBePaid, before);
    }

    function payBySignature(uint256 i, address relayer) external {
        i = i % COUNT / 2 * 2;
        PaymentDetails memory details = detailsAt(i);
        (uint8 v, bytes32 r, bytes32 s) = _sign(details, PAYER);
        uint256 before = USDC.balanceOf(PAYER);
        bool canBePaid = _canBePaid(i);
        vm.prank(relayer);
        (bool isDone,) = address(SPLITTER)
            .call(
                abi.encodeCall(
                    SPLITTER.splitPaymentWithAuthorization, (details, PAYER, 0, block.timestamp + 1, v, r, s)
                )
            );
        _note(i, isDone, canBePaid, before);
    }

    /// @dev Someone else tries by every door, for himself, with the payer's signature for the victim, with garbage.
    function steal(uint256 i, uint256 door, address thief, uint8 v, bytes32 r, bytes32 s) external {
        if (thief == PAYER || thief == VICTIM) return;
        PaymentDetails memory details = detailsAt(i % COUNT);
        details.recipient1 = thief;
        door %= 5;
        bytes memory call;
        if (door == 0) call = abi.encodeCall(SPLITTER.splitPayment, (details));
        if (door == 1) call = abi.encodeCall(SPLITTER.splitPaymentBefore, (details, block.timestamp));
        if (door == 2) call = abi.encodeCall(SPLITTER.splitPaymentWithPermit, (details, block.timestamp, v, r, s));
        if (door == 3) (v, r, s) = _sign(details, VICTIM);
        if (door > 2) {
            call = abi.encodeCall(
                SPLITTER.splitPaymentWithAuthorization, (details, VICTIM, 0, block.timestamp + 1, v, r, s)
            );
        }
        vm.prank(thief);
        (bool isDone,) = address(SPLITTER).call(call);
        vm.assertTrue(!isDone, "a stranger moved what is not his");
    }

    function payParked(uint256 i, bool isUsdt) external {
        try SPLITTER.payParked(isUsdt ? address(USDT) : address(USDC), recipients[i % 3]) {} catch {}
    }

    function blacklist(uint256 i) external {
        address account = recipients[i % 3];
        if (USDC.isBlacklisted(account)) USDC.unBlacklist(account);
        else USDC.blacklist(account);
    }

    function switchFee(uint256 bps) external {
        USDT.setParams(bps % 20, 1);
    }

    /// @dev USDT wants zero in between; the victim's approval has no limit.
    function _approve(PaymentDetails memory details) private {
        for (uint256 i = 0; i < 4; ++i) {
            vm.prank(i < 2 ? PAYER : VICTIM);
            uint256 amount = i % 2 == 0 ? 0 : i == 1 ? details.amount : type(uint256).max;
            (bool isOk,) = details.token.call(abi.encodeCall(IERC20.approve, (address(SPLITTER), amount)));
            vm.assertTrue(isOk || USDC.isBlacklisted(PAYER), "approved");
        }
    }

    function _canBePaid(uint256 i) private view returns (bool) {
        bool isRefused = i % 2 == 0 && USDC.isBlacklisted(recipients[0]);
        return !isPaid[i] && !isRefused;
    }

    function _note(uint256 i, bool isDone, bool canBePaid, uint256 before) private {
        vm.assertTrue(isDone == canBePaid, "paid what it should refuse, or the reverse");
        PaymentDetails memory details = detailsAt(i);
        uint256 taken = before - IERC20(details.token).balanceOf(PAYER);
        vm.assertEq(taken, isDone ? details.amount : 0, "the payer pays the amount or nothing");
        if (!isDone) return;
        isPaid[i] = true;
        spent[details.token] += taken;
        uint256 share2 = taken * details.recipient2Percentage / BPS;
        uint256 share3 = taken * details.recipient3Percentage / BPS;
        shares[details.token][recipients[0]] += taken - share2 - share3;
        shares[details.token][recipients[1]] += share2;
        shares[details.token][recipients[2]] += share3;
    }

    /// @dev The payer's key, whoever is said to pay.
    function _sign(PaymentDetails memory details, address from) private view returns (uint8, bytes32, bytes32) {
        bytes32 structHash = keccak256(
            abi.encode(
                USDC.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
                from,
                address(SPLITTER),
                details.amount,
                0,
                block.timestamp + 1,
                SPLITTER.termsHash(details)
            )
        );
        return vm.sign(KEY, keccak256(abi.encodePacked(hex"1901", USDC.DOMAIN_SEPARATOR(), structHash)));
    }
}

contract SplitterInvariants is SplitterTest {
    SplitterLife private life;

    function setUp() public override {
        super.setUp();
        life = new SplitterLife(splitter, usdc, usdt);
        usdc.transferOwnership(address(life));
        usdt.transferOwnership(address(life));
    }

    /// @dev forge asks for this: only the life happens, from any sender.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(life);
    }

    function invariant_theSplitterHoldsParkedSharesAndNothingElse() public view {
        for (uint256 i = 0; i < 2; ++i) {
            IERC20 token = _token(i);
            vm.assertEq(token.balanceOf(address(splitter)), _parked(token), "splitter");
        }
    }

    function invariant_whatThePayerSpentIsWithTheRecipientsOrTheTokensFee() public view {
        for (uint256 i = 0; i < 2; ++i) {
            IERC20 token = _token(i);
            uint256 out = _parked(token) + (i == 1 ? token.balanceOf(address(life)) : 0);
            for (uint256 j = 0; j < 3; ++j) {
                out += token.balanceOf(life.recipients(j));
            }
            vm.assertEq(out, life.spent(address(token)), "not a unit more or less");
        }
    }

    function invariant_everyRecipientHasHisShares() public view {
        for (uint256 i = 0; i < 3; ++i) {
            address recipient = life.recipients(i);
            uint256 has = usdc.balanceOf(recipient) + splitter.parked(address(usdc), recipient);
            vm.assertEq(has, life.shares(address(usdc), recipient), "USDC, parked shares included");
            has = usdt.balanceOf(recipient) + splitter.parked(address(usdt), recipient);
            vm.assertTrue(has <= life.shares(address(usdt), recipient), "USDT, which may have a fee");
        }
    }

    function invariant_nobodyElsesTokensMove() public view {
        vm.assertEq(usdc.balanceOf(life.VICTIM()), 1e12, "USDC");
        vm.assertEq(usdt.balanceOf(life.VICTIM()), 1e12, "USDT");
    }

    function invariant_whatIsPaidIsMarked() public view {
        for (uint256 i = 0; i < life.COUNT(); ++i) {
            bytes32 hash = splitter.termsHash(life.detailsAt(i));
            vm.assertTrue(splitter.isPaid(hash) == life.isPaid(i), "marked");
        }
    }

    function _token(uint256 i) private view returns (IERC20) {
        return i == 0 ? IERC20(address(usdc)) : IERC20(address(usdt));
    }

    function _parked(IERC20 token) private view returns (uint256 parked) {
        for (uint256 i = 0; i < 3; ++i) {
            parked += splitter.parked(address(token), life.recipients(i));
        }
    }
}
