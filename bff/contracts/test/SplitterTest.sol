// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TestUSDC} from "devnet/TestUSDC.sol";
import {TestUSDT} from "devnet/TestUSDT.sol";
import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {PaymentDetails} from "../src/PaymentDetails.sol";
import {ForgeTest} from "./ForgeTest.sol";

/// @dev One payment of 100 USDC, 1.5 % of it for the platform, and the words to tell its stories with.
abstract contract SplitterTest is ForgeTest {
    uint256 internal constant DUE = 100e6;
    uint256 internal constant FEE = 1_500_000;
    uint256 internal constant PAYER_KEY = 0xC0FFEE;

    address internal constant MERCHANT = address(0xA11CE);
    address internal constant PLATFORM = address(0xB0B);
    address internal constant THIRD = address(0x7417D);
    address internal constant STRANGER = address(0xBAD);

    address internal payer;
    IPaymentSplitter internal splitter;
    TestUSDC internal usdc;
    TestUSDT internal usdt;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        payer = vm.addr(PAYER_KEY);
        splitter = IPaymentSplitter(deploy("PAYMENT_SPLITTER"));
        usdc = new TestUSDC();
        usdt = new TestUSDT();
    }

    function detailsOf(address token) internal pure returns (PaymentDetails memory) {
        return PaymentDetails({
            token: token,
            amount: DUE,
            paymentId: "3f0f3c1e-8c1c-4b1e-9d55-2b8f3f6a7f10",
            recipient1: MERCHANT,
            recipient2: PLATFORM,
            recipient3: address(0),
            recipient1Percentage: 9_850,
            recipient2Percentage: 150,
            recipient3Percentage: 0
        });
    }

    function usdcDetails() internal view returns (PaymentDetails memory) {
        return detailsOf(address(usdc));
    }

    /// @dev Shares that add up, from any three numbers.
    function withShares(PaymentDetails memory details, uint256 share2, uint256 share3)
        internal
        pure
        returns (PaymentDetails memory)
    {
        details.recipient3 = THIRD;
        details.recipient2Percentage = bound(share2, 0, BPS);
        details.recipient3Percentage = bound(share3, 0, BPS - details.recipient2Percentage);
        details.recipient1Percentage = BPS - details.recipient2Percentage - details.recipient3Percentage;
        return details;
    }

    /// @dev The payer holds the amount and has approved exactly it.
    function fund(PaymentDetails memory details) internal returns (PaymentDetails memory) {
        TestUSDC(details.token).mint(payer, details.amount);
        vm.prank(payer);
        (bool isOk,) = details.token.call(abi.encodeCall(IERC20.approve, (address(splitter), details.amount)));
        vm.assertTrue(isOk, "approved");
        return details;
    }

    function pay(PaymentDetails memory details) internal {
        vm.prank(payer);
        splitter.splitPayment(details);
    }

    function balanceOf(PaymentDetails memory details, address account) internal view returns (uint256) {
        return IERC20(details.token).balanceOf(account);
    }

    function assertBalance(PaymentDetails memory details, address account, uint256 expected, string memory whose)
        internal
        view
    {
        vm.assertEq(balanceOf(details, account), expected, whose);
    }

    /// @dev Everybody has the share of `received`, the splitter nothing.
    function assertSplit(PaymentDetails memory details, uint256 received) internal view {
        uint256 share2 = received * details.recipient2Percentage / BPS;
        uint256 share3 = received * details.recipient3Percentage / BPS;
        assertBalance(details, MERCHANT, received - share2 - share3, "merchant: what the others leave");
        assertBalance(details, PLATFORM, share2, "platform: its share, rounded down");
        assertBalance(details, THIRD, share3, "third: its share, rounded down");
        assertBalance(details, address(splitter), 0, "splitter: nothing");
        vm.assertTrue(splitter.isPaid(splitter.termsHash(details)), "marked as paid");
    }

    function expectError(bytes4 selector) internal {
        vm.expectRevert(abi.encodeWithSelector(selector));
    }

    function expectAlreadyUsed(PaymentDetails memory details) internal {
        bytes32 hash = splitter.termsHash(details);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.PaymentIdAlreadyUsed.selector, hash));
    }
}
